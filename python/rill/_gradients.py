"""Gradients that a program writes itself."""

from rill import _rill


def _check_new(op_type):
    if not isinstance(op_type, str):
        raise TypeError("op_type must be a string")


class RegisterGradient:
    """Decorates the gradient function of an op type, or of a name for gradient_override_map.

    It is called as f(op, *gradients of the outputs) and returns the gradients of the inputs.
    """

    def __init__(self, op_type):
        _check_new(op_type)
        self._op_type = op_type

    def __call__(self, f):
        if _rill.has_gradient(self._op_type):
            raise KeyError(f"Registering two gradient with name '{self._op_type}'!")
        _rill.register_gradient(self._op_type, f)
        return f


def NotDifferentiable(op_type):
    """States that ops of this type have no gradient on purpose."""
    _check_new(op_type)
    if _rill.has_gradient(op_type):
        raise KeyError(f"Registering two gradient with name '{op_type}'!")
    _rill.register_gradient(op_type, None)


NoGradient = NotDifferentiable
