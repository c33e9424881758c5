"""tf.wrap_function: a Python function of TensorFlow 1, built once, to be called often."""

from rill import _nest, _nest_partial, _rill
from rill._tracing import _Trace


class WrappedFunction:
    """A function of the graph, made of a Python function by building it once."""

    def __init__(self, fn, signature, name):
        self._specs = _nest.flatten(signature)
        self.structured_input_signature = (tuple(signature), {})
        if name:
            def named(*args):
                return fn(*args)
            named.__name__ = name
        self._trace = _Trace(named if name else fn, self._specs, lambda arguments: (
            _nest.pack_sequence_as(list(signature), list(arguments)), {}))

    @property
    def inputs(self):
        """What describes the arguments."""
        return list(self._specs)

    @property
    def name(self):
        """The name of the function of the graph."""
        return self._trace._function.name

    def __call__(self, *args):
        wanted = list(self.structured_input_signature[0])
        if len(args) != len(wanted):
            raise TypeError(f"Expected {len(wanted)} arguments, got {len(args)}")
        leaves = _nest_partial.flatten_up_to(wanted, list(args))
        return self._trace.call([_rill.convert_to_tensor(leaf, dtype=spec.dtype)
                                 for leaf, spec in zip(leaves, self._specs)])


def wrap_function(fn, signature, name=None):
    """A function that does what `fn` does, which is called once, with arguments that `signature` describes."""
    return WrappedFunction(fn, signature, name)
