"""What programs import of TensorFlow's recurrent networks although it is not public."""

from rill import _initializers, _nest, _rill
from rill._rnn_base import zero_tensors
from rill._static import constant_value
from rill._variable_scope import get_variable, get_variable_scope, variable_scope


class _Linear:
    """kernel * [args...] + bias, with variables of the scope that it is made in."""

    def __init__(self, args, output_size, build_bias, bias_initializer=None, kernel_initializer=None):
        if args is None or (_nest.is_nested(args) and not args):
            raise ValueError("`args` must be specified")
        tensors = args if _nest.is_nested(args) else [args]
        depths = []
        for tensor in tensors:
            if tensor.shape.ndims != 2:
                raise ValueError(f"linear is expecting 2D arguments: {[t.shape for t in tensors]}")
            if tensor.shape.as_list()[1] is None:
                raise ValueError(f"linear expects shape[1] to be provided for shape {tensor.shape}, but saw None")
            depths.append(tensor.shape.as_list()[1])
        dtype = tensors[0].dtype
        with variable_scope(get_variable_scope()) as outer:
            self._weights = get_variable("kernel", [sum(depths), output_size], dtype=dtype,
                                         initializer=kernel_initializer)
            self._biases = None
            if build_bias:
                with variable_scope(outer) as inner:
                    inner.set_partitioner(None)
                    self._biases = get_variable("bias", [output_size], dtype=dtype, initializer=bias_initializer or
                                                _initializers.constant_initializer(0.0, dtype=dtype))

    def __call__(self, args):
        tensors = args if _nest.is_nested(args) else [args]
        joined = tensors[0] if len(tensors) == 1 else _rill.functions.concat(list(tensors), 1)
        product = _rill.functions.linalg.matmul(joined, self._weights)
        return product if self._biases is None else _rill.functions.nn.bias_add(product, self._biases)


def _linear(args, output_size, bias, bias_initializer=None, kernel_initializer=None):
    """kernel * [args...] + bias, with variables of the current scope."""
    return _Linear(args, output_size, bias, bias_initializer, kernel_initializer)(args)


def _concat(prefix, suffix, static=False):
    """Two shapes one after the other: a list, or a tensor; each is a number, a shape or a tensor."""
    if static:
        known = [_rill.TensorShape(constant_value(p) if isinstance(p, _rill.Tensor) else p)
                 for p in (prefix, suffix)]
        whole = known[0].concatenate(known[1])
        return whole.as_list() if whole.ndims is not None else None
    parts = []
    for part in (prefix, suffix):
        if isinstance(part, _rill.Tensor):
            parts.append(_rill.functions.expand_dims(part, 0) if part.shape.ndims == 0 else part)
        elif _rill.TensorShape(part).is_fully_defined():
            parts.append(_rill.TensorShape(part).as_list())
        else:
            raise ValueError(f"Provided a prefix or suffix of None: {prefix} and {suffix}")
    return _rill.functions.concat(parts, 0)


def _transpose_batch_time(x):
    """[a, b, ...] as [b, a, ...]; vectors and scalars stay."""
    if x.shape.ndims is not None and x.shape.ndims < 2:
        return x
    if x.shape.ndims is None:
        raise ValueError(f"Expected the rank of {x} to be known")
    return _rill.functions.transpose(x, [1, 0, *range(2, x.shape.ndims)])


def _best_effort_input_batch_size(flat_input):
    """The second dimension of inputs [time, batch, ...], known or a tensor."""
    for tensor in flat_input:
        if tensor.shape.ndims is None:
            continue
        if tensor.shape.ndims < 2:
            raise ValueError(f"Expected input tensor {tensor.name} to have rank at least 2")
        if tensor.shape.as_list()[1] is not None:
            return tensor.shape.as_list()[1]
    return _rill.functions.shape(flat_input[0])[1]


def _infer_state_dtype(explicit_dtype, state):
    """The type that is given, or the one of all tensors of a state."""
    if explicit_dtype is not None:
        return explicit_dtype
    dtypes = [tensor.dtype for tensor in _nest.flatten(state)]
    if not dtypes:
        raise ValueError(f"Unable to infer dtype from empty state: {state}")
    if any(dtype != dtypes[0] for dtype in dtypes):
        raise ValueError("State has tensors of different inferred_dtypes. Unable to infer a single "
                         "representative dtype.")
    return dtypes[0]
