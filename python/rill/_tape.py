"""tf.GradientTape: of values that are computed at once, and for graphs by tf.gradients."""

import contextlib

from rill import _nest, _rill, raw_ops
from rill._slices import UnconnectedGradients


class GradientTape:
    """Records what is computed in its block, and tells gradients of it."""

    def __new__(cls, persistent=False, watch_accessed_variables=True):
        if cls is GradientTape:
            cls = _EagerTape if _rill.executing_eagerly() else _GraphTape
        return object.__new__(cls)


class _EagerTape(GradientTape):

    def __init__(self, persistent=False, watch_accessed_variables=True):
        self._tape = _rill.Tape(bool(watch_accessed_variables))
        self._persistent = persistent
        self._used = False

    def __enter__(self):
        if self._tape.is_on():
            raise ValueError("Tape is already recording.")
        self._used = False
        self._tape.start()
        return self

    def __exit__(self, *exception):
        self._tape.stop()

    def watch(self, tensor):
        """From here on gradients by `tensor` can be asked for."""
        for leaf in _nest.flatten(tensor):
            if not isinstance(leaf, (_rill.Tensor, _rill.VariableBase)):
                raise ValueError(f"Passed in object of type {type(leaf)}, not tf.Tensor")
            self._tape.watch(leaf)

    @contextlib.contextmanager
    def stop_recording(self):
        """What is computed in the block is not recorded."""
        if not self._tape.is_on():
            raise RuntimeError("Trying to stop recording a tape which is not recording.")
        self._tape.stop()
        try:
            yield
        finally:
            self._tape.start()

    def reset(self):
        """Forgets what was recorded and watched."""
        self._tape.reset()
        self._used = False

    def watched_variables(self):
        """The variables that were watched, in the order of their first use."""
        return tuple(self._tape.variables())

    def _check(self):
        if self._used and not self._persistent:
            raise RuntimeError("GradientTape.gradient can only be called once on non-persistent tapes.")
        self._used = True

    @contextlib.contextmanager
    def _apart(self):
        """A tape that is used once need not record how its gradients are computed."""
        records = self._tape.is_on()
        if records and not self._persistent:
            self._tape.stop()
        try:
            yield
        finally:
            if records:
                self._tape.start()

    def gradient(self, target, sources, output_gradients=None,
                 unconnected_gradients=UnconnectedGradients.NONE):
        """The gradients of `target` by `sources`, in the structure of these."""
        self._check()
        seeds = None if output_gradients is None else _nest.flatten(output_gradients)
        with self._apart():
            found = self._tape.gradients(_nest.flatten(target), [_source(leaf) for leaf in _nest.flatten(sources)],
                                         seeds, UnconnectedGradients(unconnected_gradients).value == "zero")
        return _nest.pack_sequence_as(sources, found)

    def jacobian(self, target, sources, unconnected_gradients=UnconnectedGradients.NONE,
                 parallel_iterations=None, experimental_use_pfor=True):
        """The derivatives of every element of `target` by those of `sources`."""
        self._check()
        target = _rill.convert_to_tensor(target)
        leaves = [_source(leaf) for leaf in _nest.flatten(sources)]
        self._tape.start()
        try:
            flat = _rill.functions.reshape(target, [-1])
            items = _rill.functions.unstack(flat)
        finally:
            self._tape.stop()
        rows = [self._tape.gradients([item], leaves, None, UnconnectedGradients(
            unconnected_gradients).value == "zero") for item in items]
        results = []
        for i, leaf in enumerate(leaves):
            column = [row[i] for row in rows]
            if any(value is None for value in column):
                results.append(None)
                continue
            stacked = _rill.functions.stack([_rill.convert_to_tensor(value) for value in column])
            results.append(_rill.functions.reshape(stacked, target.shape.as_list() + leaf.shape.as_list()))
        return _nest.pack_sequence_as(sources, results)

    def batch_jacobian(self, target, source, unconnected_gradients=UnconnectedGradients.NONE,
                       parallel_iterations=None, experimental_use_pfor=True):
        """The derivatives of each row of `target` by the same row of `source`."""
        rows = target.shape.with_rank_at_least(1)[0]
        if not rows.is_compatible_with(source.shape.with_rank_at_least(1)[0]):
            raise ValueError("Need first dimension of target shape (%s) and source shape (%s) to "
                             "match." % (target.shape, source.shape))
        self._check()
        self._tape.start()
        try:
            columns = _rill.functions.unstack(_rill.functions.reshape(target, [int(rows), -1]), axis=1)
        finally:
            self._tape.stop()
        found = [self._tape.gradients([column], [source], None, True)[0] for column in columns]
        stacked = _rill.functions.stack(found, axis=1)
        return _rill.functions.reshape(stacked, target.shape.as_list() + source.shape.as_list()[1:])


def _source(leaf):
    return leaf if isinstance(leaf, (_rill.Tensor, _rill.VariableBase)) else _rill.convert_to_tensor(leaf)


class _GraphTape(GradientTape):
    """In graphs everything is recorded anyway."""

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
