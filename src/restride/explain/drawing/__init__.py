"""Pictures: what they are made of, and the two kinds of file they become."""
