"""Functions with gradients of their own."""

import functools
import inspect

from rill import _nest, _rill


def _takes_variables(grad_fn):
    spec = inspect.getfullargspec(grad_fn)
    return "variables" in spec.args or "variables" in spec.kwonlyargs or spec.varkw is not None


def custom_gradient(f):
    """Decorates `f`, which returns its result and a function that computes the gradients.

    grad_fn(*gradients of the results) returns the gradients of the arguments; where `f` reads
    variables, grad_fn(*gradients, variables=...) returns a pair: those, and a list for the variables.
    """

    @functools.wraps(f)
    def decorated(*args, **kwargs):
        if kwargs and not _rill.executing_eagerly():
            raise ValueError("The custom_gradient decorator currently supports keywords arguments "
                             "only when eager execution is enabled.")
        tensors = [_rill.convert_to_tensor(arg) for arg in _nest.flatten(list(args))]
        result, grad_fn = f(*_nest.pack_sequence_as(list(args), tensors), **kwargs)
        leaves = [_rill.convert_to_tensor(leaf) for leaf in _nest.flatten(result)]
        variables = _rill.variables_between(tensors, leaves)
        if variables and not _takes_variables(grad_fn):
            raise TypeError("If using @custom_gradient with a function that uses variables, then "
                            "grad_fn must accept a 'variables' keyword argument.")

        def gradients(dys):
            if not variables:
                return _nest.flatten(grad_fn(*dys))
            of_args, of_variables = grad_fn(*dys, variables=variables)
            if len(of_variables) != len(variables):
                raise ValueError("Must return gradient for each variable from @custom_gradient "
                                 "grad_fn.")
            return [*_nest.flatten(of_args), *of_variables]

        results = _rill.attach_gradient(leaves, tensors, variables, gradients)
        return _nest.pack_sequence_as(result, results)

    return decorated


def grad_pass_through(f):
    """`f`, through which gradients pass as if it returned its arguments."""

    @custom_gradient
    def passed(*args, **kwargs):
        def grad(*dys, **options):
            variables = options.get("variables")
            return (dys, [None] * len(variables)) if variables else dys

        return f(*args, **kwargs), grad

    return passed


def _gradients_again(f, args, kwargs, variables, dys):
    from rill import GradientTape
    with GradientTape() as tape:
        tape.watch(args)
        again = f(*args, **kwargs)
    found = tape.gradient(again, [*args, *variables], output_gradients=list(dys))
    of_args, of_variables = found[:len(args)], found[len(args):]
    return (of_args, of_variables) if variables else of_args


def recompute_grad(f):
    """`f`, whose intermediate values are computed anew when gradients are taken."""

    @custom_gradient
    def recomputed(*args, **kwargs):
        result = f(*args, **kwargs)

        def grad(*dys, **options):
            variables = options.get("variables") or []
            if _rill.executing_eagerly():
                return _gradients_again(f, args, kwargs, variables, dys)
            with _rill.get_default_graph().control_dependencies(list(dys)):
                again = f(*args, **kwargs)
            found = _rill.gradients(_nest.flatten(again), [*args, *variables], list(dys))
            of_args, of_variables = found[:len(args)], found[len(args):]
            return (of_args, of_variables) if variables else of_args

        return result, grad

    return recomputed
