"""TensorFlow's tutorials."""
