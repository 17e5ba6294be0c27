"""What an Ascend product says of a node: its dialects are asked."""
