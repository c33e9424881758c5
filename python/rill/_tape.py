"""tf.GradientTape: of values that are computed at once, and for graphs by tf.gradients."""

import contextlib

from rill import _nest, _rill, raw_ops
from rill._slices import UnconnectedGradients


class _GraphTape:
    """In graphs everything is recorded anyway; has the methods of _rill.Tape."""

    def __init__(self, watch_variables):
        self._watch_variables = watch_variables
        self._watched = []
        self._is_on = False

    def start(self):
        self._is_on = True

    def stop(self):
        self._is_on = False

    def is_on(self):
        return self._is_on

    def reset(self):
        self._watched = []

    def watch(self, source):
        self._watched.append(source)

    def variables(self):
        return [v for v in self._watched if not isinstance(v, _rill.Tensor)]

    def _is_watched(self, source):
        if not isinstance(source, _rill.Tensor) and self._watch_variables and getattr(
                source, "trainable", False):
            return True
        if any(source is known for known in self._watched):
            return True
        return isinstance(source, _rill.Tensor) and not isinstance(source, _rill.EagerTensor) and bool(
            self._watched or self._watch_variables) and source.op.type not in ("Placeholder", "Const")

    def gradients(self, targets, sources, seeds, zeros):
        known = [source for source in sources if self._is_watched(source)]
        found = iter(_rill.gradients(targets, known, seeds,
                                     unconnected_gradients="zero" if zeros else "none") if known else [])
        missing = (lambda source: raw_ops.ZerosLike(x=_rill.convert_to_tensor(source))) if zeros else lambda _: None
        return [next(found) if self._is_watched(source) else missing(source) for source in sources]

    def jacobian(self, target, source):
        if not self._is_watched(source):
            return None
        return _rill.jacobian(_rill.convert_to_tensor(target), _rill.convert_to_tensor(source))

    def batch_jacobian(self, target, source):
        return _rill.batch_jacobian(_rill.convert_to_tensor(target), _rill.convert_to_tensor(source))


class GradientTape:
    """Records what is computed in its block, and tells gradients of it."""

    def __init__(self, persistent=False, watch_accessed_variables=True):
        self._tape = (_rill.Tape if _rill.executing_eagerly() else _GraphTape)(bool(watch_accessed_variables))
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
        zeros = _fills(unconnected_gradients)
        self._check()
        seeds = None if output_gradients is None else _nest.flatten(output_gradients)
        targets = [self._target(leaf) for leaf in _nest.flatten(target)]
        with self._apart():
            found = self._tape.gradients(targets, [_source(leaf) for leaf in _nest.flatten(sources)],
                                         seeds, zeros)
        return _nest.pack_sequence_as(sources, found)

    def _target(self, leaf):
        """A target as a tensor: variables are read where the tape sees it."""
        if not isinstance(leaf, _rill.VariableBase) or self._tape.is_on() or not _rill.executing_eagerly():
            return leaf
        self._tape.start()
        try:
            return _rill.convert_to_tensor(leaf)
        finally:
            self._tape.stop()

    def jacobian(self, target, sources, unconnected_gradients=UnconnectedGradients.NONE,
                 parallel_iterations=None, experimental_use_pfor=True):
        """The derivatives of every element of `target` by those of `sources`."""
        if not self._persistent and not experimental_use_pfor and _rill.executing_eagerly():
            raise RuntimeError("GradientTape must be created with persistent=True to compute the jacobian with eager "
                               "execution enabled and with  experimental_use_pfor set to False.")
        self._check()
        found = [self._tape.jacobian(target, _source(leaf)) for leaf in _nest.flatten(sources)]
        return _nest.pack_sequence_as(sources, found)

    def batch_jacobian(self, target, source, unconnected_gradients=UnconnectedGradients.NONE,
                       parallel_iterations=None, experimental_use_pfor=True):
        """The derivatives of each row of `target` by the same row of `source`."""
        rows = target.shape.with_rank_at_least(1)[0]
        if not rows.is_compatible_with(source.shape.with_rank_at_least(1)[0]):
            raise ValueError("Need first dimension of target shape (%s) and source shape (%s) to "
                             "match." % (target.shape, source.shape))
        self._check()
        return self._tape.batch_jacobian(target, source)


def _fills(unconnected_gradients):
    """Whether zeros stand for gradients that are not there."""
    try:
        return UnconnectedGradients(unconnected_gradients) is UnconnectedGradients.ZERO
    except ValueError:
        raise ValueError(f"Unknown value for unconnected_gradients: {unconnected_gradients!r}") from None


def _source(leaf):
    return leaf if isinstance(leaf, (_rill.Tensor, _rill.VariableBase)) else _rill.convert_to_tensor(leaf)
