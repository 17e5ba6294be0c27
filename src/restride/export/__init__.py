"""Chains written as graphs of other runtimes: the fewest standard ONNX nodes.

``nodes`` are plain data, ``chain`` makes them, ``onnx`` writes a model of them.
"""
