"""The parts of a web page: tables, style, and a script with what it starts from."""
