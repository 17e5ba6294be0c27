"""TensorFlow Lite files: every operator of every subgraph."""
