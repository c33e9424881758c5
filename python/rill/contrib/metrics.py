"""tf.contrib.metrics: tf.metrics under their older names, and some more."""

from rill import _rill
from rill._surface import members_of as _members_of

__getattr__, __dir__ = _members_of(__name__)

set_difference = _rill.functions.sets.difference
set_intersection = _rill.functions.sets.intersection
set_size = _rill.functions.sets.size
set_union = _rill.functions.sets.union
confusion_matrix = _rill.functions.math.confusion_matrix


def aggregate_metrics(*value_update_tuples):
    """The values and the updates of several metrics, as two lists."""
    if not value_update_tuples:
        raise ValueError("Expected at least one value_tensor/update_op pair")
    values, updates = zip(*value_update_tuples)
    return list(values), list(updates)


def aggregate_metric_map(names_to_tuples):
    """The values and the updates of several metrics, as two dicts."""
    values, updates = aggregate_metrics(*names_to_tuples.values())
    return dict(zip(names_to_tuples, values)), dict(zip(names_to_tuples, updates))
