"""ONNX: every node of a model, its subgraphs and functions, and what is known of it."""
