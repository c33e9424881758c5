"""map_fn, foldl, foldr and scan: packs structures around the loops of C++."""

from rill import _nest, _rill
from rill._ragged_tensor import RaggedTensor, RaggedTensorValue
from rill._rill import functions


def _converted(fn):
    """The program's function, in functions of the graph with its control flow as ops."""
    from rill.autograph import _api
    return _api.converted_in_function(fn)


def _check(fn, elems):
    if not callable(fn):
        raise TypeError(f"{fn!r} is not callable")
    leaves = _nest.flatten(elems)
    if not leaves:
        raise ValueError("elems must be a Tensor or (possibly nested) sequence of Tensors. "
                         f"Got {elems!r}, which does not contain any Tensors.")
    return leaves


def map_fn(fn, elems, dtype=None, parallel_iterations=None, back_prop=True, swap_memory=False,
           infer_shape=True, name=None):
    """The results of `fn` for the elements of `elems` along the first dimension, stacked."""
    leaves = _check(fn, elems)
    model = elems if dtype is None else dtype
    specs = _nest.flatten(model)

    def of_leaves(tensors):
        rows = [_row(leaf, tensor) for leaf, tensor in zip(leaves, tensors)]
        result = _converted(fn)(_nest.pack_sequence_as(elems, rows))
        _nest.assert_same_structure(model, result)
        return [_carried(spec, part) for spec, part in zip(specs, _nest.flatten(result))]

    results = _rill.map_fn(
        of_leaves, [_numbers_of_rows(leaf) for leaf in leaves],
        [] if dtype is None and not any(map(_is_ragged, leaves)) else [_carrier(spec) for spec in specs],
        (parallel_iterations or 10, back_prop, swap_memory), infer_shape, name or "")
    return _nest.pack_sequence_as(model, [_together(spec, part) for spec, part in zip(specs, results)])


# A ragged tensor has rows of different sizes: the loop counts them and takes them out by their numbers, and carries
# those that it makes as variants.

def _is_ragged(value):
    return isinstance(value, (RaggedTensor, RaggedTensorValue))


def _numbers_of_rows(leaf):
    return functions.range(functions.ragged_nrows(_ragged(leaf)._parts)) if _is_ragged(leaf) else leaf


def _ragged(leaf):
    return functions.ragged_of_value(leaf) if isinstance(leaf, RaggedTensorValue) else leaf


def _row(leaf, tensor):
    return _ragged(leaf)[tensor] if _is_ragged(leaf) else tensor


def _is_spec(spec):
    return hasattr(spec, "_ragged_rank")


def _carrier(spec):
    if _is_spec(spec):
        return _rill.variant
    return spec if isinstance(spec, type) else getattr(spec, "dtype", spec)


def _carried(spec, part):
    return functions.ragged_to_variant(part) if _is_spec(spec) else part


def _together(spec, part):
    if not _is_spec(spec):
        return part
    return functions.ragged_from_variants(part, spec._ragged_rank, spec._dtype, spec._row_splits_dtype)


def _folding(fn, elems, model):
    """`fn` for flat lists, where what is carried has the structure of `model`."""

    def of_leaves(so_far, tensors):
        result = _converted(fn)(_nest.pack_sequence_as(model, so_far), _nest.pack_sequence_as(elems, tensors))
        _nest.assert_same_structure(model, result)
        return _nest.flatten(result)

    return of_leaves


def _fold(fn, elems, initializer, from_right, loop, name):
    leaves = _check(fn, elems)
    model = elems if initializer is None else initializer
    initial = None if initializer is None else _nest.flatten(initializer)
    results = _rill.fold(_folding(fn, elems, model), leaves, initial, from_right, loop, name or "")
    return _nest.pack_sequence_as(model, results)


def foldl(fn, elems, initializer=None, parallel_iterations=10, back_prop=True, swap_memory=False,
          name=None):
    """The last value of so_far = fn(so_far, element), from the first element to the last."""
    return _fold(fn, elems, initializer, False, (parallel_iterations, back_prop, swap_memory),
                 name)


def foldr(fn, elems, initializer=None, parallel_iterations=10, back_prop=True, swap_memory=False,
          name=None):
    """The last value of so_far = fn(so_far, element), from the last element to the first."""
    return _fold(fn, elems, initializer, True, (parallel_iterations, back_prop, swap_memory), name)


def scan(fn, elems, initializer=None, parallel_iterations=10, back_prop=True, swap_memory=False,
         infer_shape=True, reverse=False, name=None):
    """All values of so_far = fn(so_far, element), stacked."""
    leaves = _check(fn, elems)
    model = elems if initializer is None else initializer
    initial = None if initializer is None else _nest.flatten(initializer)
    results = _rill.scan(_folding(fn, elems, model), leaves, initial,
                         (parallel_iterations, back_prop, swap_memory), infer_shape, reverse,
                         name or "")
    return _nest.pack_sequence_as(model, results)


def _result_types(fn, elems, leaves):
    """The types that `fn` gives for one element, in its structure; it is built once to find out."""
    builder = _rill.FunctionBuilder(_rill.get_default_graph())
    arguments = [builder.add_argument(leaf.dtype, f"arg{i}", leaf.shape[1:]) for i, leaf in enumerate(leaves)]
    with builder.graph.as_default():
        result = fn(_nest.pack_sequence_as(elems, arguments))
        return _nest.map_structure(lambda leaf: _rill.convert_to_tensor(leaf).dtype.base_dtype, result)


def vectorized_map(fn, elems):
    """The results of `fn` for the elements of `elems`, stacked; elements do not depend on each other."""
    leaves = [_rill.convert_to_tensor(leaf) for leaf in _check(fn, elems)]
    elems = _nest.pack_sequence_as(elems, leaves)
    return map_fn(fn, elems, dtype=_result_types(fn, elems, leaves))
