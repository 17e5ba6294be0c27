"""What a node moves: ONNX's and TensorFlow's operators as steps."""
