"""tf_debug.GradientsDebugger: finds the gradient that flows through a tensor."""

import re

from rill import _rill, errors


class GradientsDebugger:
    """Knows the gradients of `y_tensor`, or of whatever is differentiated, by the tensors they belong to."""

    def __init__(self, y_tensor=None):
        self._y_tensor = y_tensor
        self._graph = None if y_tensor is None else y_tensor.graph
        self._gradients = {}
        self._entered = False

    y_tensor = property(lambda self: self._y_tensor)
    graph = property(lambda self: self._graph)

    def __enter__(self):
        self._entered = True
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        self._entered = False

    def identify_gradient(self, input_tensor):
        """A tensor equal to `input_tensor`, whose gradient will be known."""
        from rill._custom_gradient import custom_gradient
        self._check_same_graph(input_tensor)
        name = input_tensor.name
        if name in self._gradients:
            raise ValueError(f"Gradient for tensor {name} has been registered already")
        self._gradients[name] = None

        @custom_gradient
        def identity(x):
            def grad(dy):
                self.register_gradient_tensor(name, dy)
                return dy
            return _rill.functions.identity(x), grad
        return identity(input_tensor)

    def watch_gradients_by_tensors(self, graph, tensors):
        """Not there: put identify_gradient around the tensors."""
        del graph, tensors
        raise errors.UnimplementedError(None, None, "GradientsDebugger.watch_gradients_by_tensors; "
                                                    "identify_gradient(tensor) does it for one tensor")

    def watch_gradients_by_tensor_names(self, graph, tensor_name_regex):
        """Not there: put identify_gradient around the tensors."""
        re.compile(tensor_name_regex)
        self.watch_gradients_by_tensors(graph, [])

    def _check_same_graph(self, tensor):
        if self._graph is None:
            self._graph = tensor.graph
        elif self._graph is not tensor.graph:
            raise ValueError(f"The graph of the value ({tensor.graph}) is not the same as the graph {self._graph}")

    @staticmethod
    def _get_tensor_name(tensor):
        if not hasattr(tensor, "name") and not isinstance(tensor, str):
            raise TypeError(f"x_tensor must be a str or tf.Tensor or tf.Variable, but instead has type {type(tensor)}")
        return tensor if isinstance(tensor, str) else tensor.name

    def register_gradient_tensor(self, x_tensor_name, gradient_tensor):
        """Remembers the gradient of a tensor."""
        self._gradients[x_tensor_name] = gradient_tensor

    def gradient_tensor(self, x_tensor):
        """The gradient of a tensor."""
        name = self._get_tensor_name(x_tensor)
        if self._gradients.get(name) is None:
            raise LookupError(f"This GradientsDebugger has not received any gradient tensor for x-tensor {name}")
        return self._gradients[name]

    def gradient_tensors(self):
        """All that are known, by the tensors' names."""
        return {name: gradient for name, gradient in self._gradients.items() if gradient is not None}
