"""Models and single nodes run: by ONNX Runtime, and by restride beside it."""
