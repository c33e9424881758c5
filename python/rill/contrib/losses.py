"""tf.contrib.losses: tf.losses as they were before, with predictions first."""

from rill import _rill
from rill._surface import members_of as _members_of

__getattr__, __dir__ = _members_of(__name__)

add_loss = _rill.functions.losses.add_loss
get_losses = _rill.functions.losses.get_losses
get_regularization_losses = _rill.functions.losses.get_regularization_losses
get_total_loss = _rill.functions.losses.get_total_loss
