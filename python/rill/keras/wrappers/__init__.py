"""tf.keras.wrappers: models as estimators of other libraries."""

from rill import _surface

__getattr__, __dir__ = _surface.members_of(__name__)
