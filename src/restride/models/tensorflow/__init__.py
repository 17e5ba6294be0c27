"""TensorFlow graphs, read without TensorFlow: every node, and what is known of it."""
