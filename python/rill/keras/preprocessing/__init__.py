"""tf.keras.preprocessing: sequences and texts brought into the form that models take."""

from rill import _surface

__getattr__, __dir__ = _surface.members_of(__name__)
