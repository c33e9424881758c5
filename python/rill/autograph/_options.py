"""What a program says of a loop."""

from rill import _nest, _rill


class LoopOptions:
    """Of one loop: the arguments of set_loop_options."""

    def __init__(self, parallel_iterations=None, back_prop=None, swap_memory=None, maximum_iterations=None,
                 shape_invariants=None):
        del back_prop, swap_memory
        self.parallel_iterations = parallel_iterations or 10
        self.maximum_iterations = maximum_iterations
        self._shapes = [(leaf, _rill.TensorShape(shape)) for value, shape in shape_invariants or []
                        for leaf in _nest.flatten(value)]

    def has_shape(self, tensor):
        """Whether the program tells an invariant for it."""
        return any(known is tensor for known, _ in self._shapes)

    def shape_of(self, tensor):
        """The shape that a loop variable, by its initial value, keeps."""
        for known, shape in self._shapes:
            if known is tensor:
                return shape
        return tensor.shape
