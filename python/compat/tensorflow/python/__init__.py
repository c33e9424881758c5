"""Where TensorFlow keeps its own modules; programs import some of them."""
