"""tf.GradientTape for graphs: gradients of what was watched, by tf.gradients."""

import contextlib

from rill import _nest, _rill, raw_ops
from rill._slices import UnconnectedGradients


class GradientTape:
    """Tells gradients of tensors that were computed from what it watches."""

    def __init__(self, persistent=False, watch_accessed_variables=True):
        self._persistent = persistent
        self._watch_variables = watch_accessed_variables
        self._watched = []
        self._used = False
        self._recording = False

    def __enter__(self):
        if self._recording:
            raise ValueError("Tape is already recording.")
        self._recording = True
        return self

    def __exit__(self, *exception):
        self._recording = False

    def watch(self, tensor):
        """From here on gradients by `tensor` can be asked for."""
        for leaf in _nest.flatten(tensor):
            self._watched.append(leaf)

    @contextlib.contextmanager
    def stop_recording(self):
        """In the graph nothing is lost by recording, so that this changes nothing."""
        if not self._recording:
            raise RuntimeError("Trying to stop recording a tape which is not recording.")
        self._recording = False
        try:
            yield
        finally:
            self._recording = True

    def reset(self):
        """Forgets what was watched."""
        self._watched = []

    def watched_variables(self):
        """The variables among what is watched."""
        return tuple(v for v in self._watched if not isinstance(v, _rill.Tensor))

    def _check(self):
        if self._used and not self._persistent:
            raise RuntimeError("GradientTape.gradient can only be called once on non-persistent "
                               "tapes.")
        self._used = True

    def _is_watched(self, source):
        if not isinstance(source, _rill.Tensor) and self._watch_variables and getattr(
                source, "trainable", False):
            return True
        return any(source is known for known in self._watched)

    def gradient(self, target, sources, output_gradients=None,
                 unconnected_gradients=UnconnectedGradients.NONE):
        """The gradients of `target` by `sources`, in the structure of these."""
        self._check()
        targets, leaves = _nest.flatten(target), _nest.flatten(sources)
        seeds = None if output_gradients is None else _nest.flatten(output_gradients)
        known = [leaf for leaf in leaves if self._is_watched(leaf)]
        found = iter(_rill.gradients(targets, known, seeds,
                                     unconnected_gradients=unconnected_gradients) if known else [])
        results = [next(found) if self._is_watched(leaf) else self._unconnected(
            leaf, unconnected_gradients) for leaf in leaves]
        return _nest.pack_sequence_as(sources, results)

    def _unconnected(self, source, unconnected_gradients):
        value = getattr(unconnected_gradients, "value", unconnected_gradients)
        return None if value == "none" else raw_ops.ZerosLike(
            x=_rill.convert_to_tensor(source))

    def jacobian(self, target, sources, unconnected_gradients=UnconnectedGradients.NONE,
                 parallel_iterations=None, experimental_use_pfor=True):
        """The derivatives of every element of `target` by those of `sources`."""
        self._check()
        results = [_rill.jacobian(_rill.convert_to_tensor(target), _rill.convert_to_tensor(leaf))
                   if self._is_watched(leaf) else None for leaf in _nest.flatten(sources)]
        return _nest.pack_sequence_as(sources, results)

    def batch_jacobian(self, target, source, unconnected_gradients=UnconnectedGradients.NONE,
                       parallel_iterations=None, experimental_use_pfor=True):
        """The derivatives of each row of `target` by the same row of `source`."""
        target, source = _rill.convert_to_tensor(target), _rill.convert_to_tensor(source)
        rows = target.shape.with_rank_at_least(1)[0]
        if not rows.is_compatible_with(source.shape.with_rank_at_least(1)[0]):
            raise ValueError("Need first dimension of target shape (%s) and source shape (%s) to "
                             "match." % (target.shape, source.shape))
        self._check()
        return _rill.batch_jacobian(target, source)
