"""tf.keras.datasets: well-known data, read from files in ~/.keras/datasets (or $KERAS_HOME/datasets).

Nothing is fetched from the network: what is missing is named with the place where it belongs.
"""

from rill import _surface

__getattr__, __dir__ = _surface.members_of(__name__)
