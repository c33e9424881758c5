"""TensorFlow's modules about graphs."""
