"""TensorFlow's modules about ops."""
