"""TensorFlow's tutorials of digits."""

from tensorflow.examples.tutorials.mnist import input_data, mnist

__all__ = ["input_data", "mnist"]
