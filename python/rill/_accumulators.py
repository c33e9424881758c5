"""Accumulators of gradients of some rows."""

import collections

from rill import _rill

_SparseGradient = collections.namedtuple("SparseAccumulatorTakeGradient",
                                         ["indices", "values", "shape"])
_TakenMany = collections.namedtuple("BarrierTakeMany", ["indices", "keys", "values"])


class SparseConditionalAccumulator(_rill.SparseConditionalAccumulator):
    """Adds up gradients of some rows until enough have come."""

    def take_grad(self, num_required, name=None):
        """Indices, values and shape of the mean or sum, once `num_required` gradients have come."""
        return _SparseGradient(*self._take_grad(num_required, name))


class Barrier(_rill.Barrier):
    """Elements whose components come apart, known by a key."""

    def take_many(self, num_elements, allow_small_batch=False, timeout=None, name=None):
        """`num_elements` complete elements: their indices, keys and components."""
        indices, keys, *values = self._take_many(num_elements, allow_small_batch,
                                                 -1 if timeout is None else timeout, name)
        return _TakenMany(indices, keys, values)
