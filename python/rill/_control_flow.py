"""Branches and loops: calls the functions that a program gives, and packs structures."""

import functools

import numpy as np

from rill import _nest, _rill, errors, raw_ops
from rill._scopes import control_dependencies, name_scope
from rill._slices import IndexedSlices
from rill._tensor_array import TensorArray


def _flow_of(value):
    """TensorArrays travel as their flow."""
    return value.flow if isinstance(value, TensorArray) else value


def _leaves(structure):
    """What travels of a structure: tensors, and values that become such."""
    return [_flow_of(leaf) for leaf in _nest.flatten_tensors(structure)]


def _packed(structure, tensors):
    """The structure with these tensors in place of those that _leaves gave."""
    models = _nest.flatten_tensors(structure)
    return _nest.pack_tensors(structure, [
        model._with_flow(tensor) if isinstance(model, TensorArray) else tensor
        for model, tensor in zip(models, tensors)])


def is_array(value):
    """Whether it is a TensorArray."""
    return isinstance(value, TensorArray)


def leaves_of(structure):
    """The tensors that travel of a structure."""
    return _leaves(structure)


def packed_as(structure, tensors):
    """The structure with these tensors in place of those that leaves_of gave."""
    return _packed(structure, tensors)


def _unpack_singleton(result):
    return result[0] if isinstance(result, (list, tuple)) and len(result) == 1 else result


def _build_branch(builder, taken_if, function, what):
    """What the function returned, and its leaves as tensors."""
    with builder.branch(taken_if):
        result = function()
        if result is None:
            raise ValueError(f"{what} must have a return value.")
        if any(leaf is None for leaf in _nest.flatten(result)):
            raise ValueError("None values not supported.")
        tensors = [builder.result(taken_if, leaf) for leaf in _leaves(result)]
        if all(isinstance(leaf, _rill.Tensor) for leaf in tensors):
            _packed(result, tensors)  # takes the names that TensorFlow takes
        return result, tensors


def _function_branch(function, what):
    """What a branch returned that is a function of the graph, its builder and its leaves."""
    builder = _rill.FunctionBuilder(_rill.get_default_graph())
    with builder.graph.as_default():
        result = function()
        if any(leaf is None for leaf in _nest.flatten(result)) and result is not None:
            raise ValueError("None values not supported.")
        if result is None or isinstance(result, _rill.Operation):
            return None, (builder, [])
        return result, (builder, [_rill.convert_to_tensor(leaf) for leaf in _leaves(result)])


def _functional_cond(pred, true_fn, false_fn, strict, name):
    """cond() in functions: an If node."""
    if_true, true_part = _function_branch(true_fn, "true_fn")
    if_false, false_part = _function_branch(false_fn, "false_fn")
    if not strict:
        if_true, if_false = _unpack_singleton(if_true), _unpack_singleton(if_false)
    try:
        _nest.assert_same_structure(if_true, if_false, expand_composites=True)
    except (TypeError, ValueError) as error:
        raise TypeError("true_fn and false_fn arguments to tf.cond must have the same number, type, and overall "
                        f"structure of return values.\n\ntrue_fn output:  {if_true}\nfalse_fn output: {if_false}\n\n"
                        f"Error details:\n{error}") from None
    made = _rill.functional_cond(pred, true_part, false_part, name or "cond")
    if if_true is None:
        return None if isinstance(made, _rill.Operation) else made
    result = _packed(if_true, made)
    return result if strict else _unpack_singleton(result)


def functional_loop(cond, body, leaves, shapes=None, parallel_iterations=10, maximum_iterations=None, name=None):
    """The tensors `leaves` after body(list) was applied to them as long as cond(list) held: a While node."""
    leaves = [_rill.convert_to_tensor(leaf) for leaf in leaves]
    shapes = [leaf.shape for leaf in leaves] if shapes is None else [_rill.TensorShape(shape) for shape in shapes]
    if maximum_iterations is not None:
        most = _rill.convert_to_tensor(maximum_iterations, dtype=_rill.int32)
        leaves = [*leaves, _rill.constant(0, _rill.int32)]
        shapes = [*shapes, _rill.TensorShape([])]

    def part(build):
        builder = _rill.FunctionBuilder(_rill.get_default_graph())
        arguments = [builder.add_argument_like(leaf, shape, "loop_var") for leaf, shape in zip(leaves, shapes)]
        with builder.graph.as_default():
            return builder, [_rill.convert_to_tensor(result) for result in build(arguments)]

    def test(given):
        if maximum_iterations is None:
            return [cond(given)]
        return [raw_ops.LogicalAnd(x=raw_ops.Less(x=given[-1], y=most), y=cond(given[:-1]))]

    def iterate(given):
        if maximum_iterations is None:
            return body(given)
        return [*body(given[:-1]), raw_ops.AddV2(x=given[-1], y=1)]

    made = _rill.functional_while(part(test), part(iterate), leaves, shapes, parallel_iterations, name or "while")
    return made if maximum_iterations is None else made[:-1]


def iterator_in_graph(dataset):
    """What gives the elements of a dataset in a function of the graph."""
    from rill.data import _graph_iterator
    return _graph_iterator.make(dataset)


def _branch_functions(true_fn, false_fn, fn1, fn2):
    if fn1 is not None:
        if true_fn is not None:
            raise TypeError("cond(): true_fn and fn1 may not be set simultaneously.")
        true_fn = fn1
    if fn2 is not None:
        if false_fn is not None:
            raise TypeError("cond(): false_fn and fn2 may not be set simultaneously.")
        false_fn = fn2
    for function, what in ((true_fn, "true_fn"), (false_fn, "false_fn")):
        if function is None:
            raise TypeError(f"cond(): {what} argument required")
        if not callable(function):
            raise TypeError(f"{what} must be callable.")
    return true_fn, false_fn


def cond(pred, true_fn=None, false_fn=None, strict=False, name=None, fn1=None, fn2=None):
    """What `true_fn` returns where `pred` is true, else what `false_fn` returns.

    Only what the functions make runs conditionally. Both return the same structure of tensors;
    unless `strict`, a list of one tensor counts as the tensor.
    """
    true_fn, false_fn = _branch_functions(true_fn, false_fn, fn1, fn2)
    if _rill.executing_eagerly():
        result = true_fn() if pred else false_fn()
        return result if strict else _unpack_singleton(result)
    if _rill.has_functional_flow():
        return _functional_cond(pred, true_fn, false_fn, strict, name)
    with name_scope(name, "cond", [pred]):
        if isinstance(pred, bool):
            raise TypeError("pred must not be a Python bool")
        builder = _rill.cond_builder(pred)
        if_true, true_leaves = _build_branch(builder, True, true_fn, "true_fn")
        if_false, false_leaves = _build_branch(builder, False, false_fn, "false_fn")
        if not strict:
            if_true, if_false = _unpack_singleton(if_true), _unpack_singleton(if_false)
        try:
            _nest.assert_same_structure(if_true, if_false, expand_composites=True)
        except (TypeError, ValueError) as error:
            what = "types" if isinstance(error, TypeError) else "values"
            raise type(error)(
                f"Incompatible return {what} of true_fn and false_fn: {error}") from None
        if not true_leaves:
            raise ValueError("true_fn and false_fn must return at least one result.")
        merged = [builder.merge(f, t) for f, t in zip(false_leaves, true_leaves)]
        result = _packed(if_true, merged)
        return result if strict else _unpack_singleton(result)


def _checked_pairs(pred_fn_pairs, allow_python_preds=False):
    if isinstance(pred_fn_pairs, dict):
        pred_fn_pairs = sorted(pred_fn_pairs.items(), key=lambda item: item[0].name)
    elif not isinstance(pred_fn_pairs, (list, tuple)):
        raise TypeError("fns must be a list, tuple, or dict.")
    if not pred_fn_pairs:
        raise ValueError("pred_fn_pairs must hold at least one pair of a predicate and a function.")
    for pair in pred_fn_pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError("Each entry in pred_fn_pairs must be a 2-tuple.")
        pred, function = pair
        if allow_python_preds and isinstance(pred, (bool, np.bool_)):
            continue
        if not isinstance(pred, _rill.Tensor):
            raise TypeError("pred must be Tensor, got " + type(pred).__name__)
        if pred.dtype.name != "bool":
            raise TypeError(f"pred must be of type bool: {pred.name}")
        if not callable(function):
            raise TypeError(f"fn for pred {pred.name} must be callable.")
    return list(pred_fn_pairs)


def case(pred_fn_pairs, default=None, exclusive=False, strict=False, name="case"):
    """What the function of the first true predicate returns, else what `default` does.

    `exclusive`: the step fails when several are true. Without `default` it fails when none is.
    """
    return _case_helper(cond, pred_fn_pairs, default, exclusive, name, strict=strict)


def _case_helper(cond_fn, pred_fn_pairs, default, exclusive, name, allow_python_preds=False, **cond_kwargs):
    """case() by a function in the place of cond(); predicates may be known."""
    pairs = _checked_pairs(pred_fn_pairs, allow_python_preds)
    predicates = [pred for pred, _ in pairs]
    with name_scope(name, "case", [predicates]):
        function = default
        if default is None:
            every, (_, last) = list(predicates), pairs.pop()

            def function():
                with control_dependencies(_rill.assert_last_is_true(every)):
                    return last()
        elif not callable(default):
            raise TypeError("default must be callable.")
        for pred, action in reversed(pairs):
            function = functools.partial(cond_fn, pred, true_fn=action, false_fn=function, **cond_kwargs)
        if not exclusive:
            return function()
        check = _rill.assert_at_most([pred for pred, _ in pairs], 1, "Input error: exclusive=True")
        with control_dependencies([check]):
            return function()


def _checked_branches(branch_fns, default, branch_index):
    """The functions in the order of their indices, the default last."""
    if not isinstance(branch_index, _rill.Tensor):
        raise TypeError(f"'branch_index' must be a Tensor, got {type(branch_index)}")
    if not isinstance(branch_fns, (list, tuple, dict)):
        raise TypeError("'branch_fns' must be a list, tuple, or dict")
    if not branch_fns:
        raise ValueError("Must provide at least one item in 'branch_fns'")
    pairs = branch_fns.items() if isinstance(branch_fns, dict) else branch_fns
    if all(callable(pair) for pair in pairs):
        pairs = enumerate(pairs)
    pairs = list(pairs)
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(f"Each entry in 'branch_fns' must be a 2-tuple. Received {pair}.")
        key, function = pair
        if not isinstance(key, int):
            raise TypeError(f"key must be a Python `int`, got {type(key)}")
        if not callable(function):
            raise TypeError(f"fn for key {key} must be callable.")
    pairs.sort(key=lambda pair: pair[0])
    keys = [key for key, _ in pairs]
    if keys != list(range(len(pairs))):
        raise ValueError("branch indices (keys) must form contiguous range of "
                         f"[0 to {len(pairs)}) but found {{{','.join(map(str, keys))}}}")
    functions = [function for _, function in pairs]
    if default is not None:
        if not callable(default):
            raise TypeError("'default' must be callable.")
        functions.append(default)
    return functions


def switch_case(branch_index, branch_fns, default=None, name="switch_case"):
    """What the function with that index returns; else `default`'s results, or the last one's.

    Each branch becomes a function of the graph, of which only the one that is taken runs.
    """
    functions = _checked_branches(branch_fns, default, branch_index)
    if _rill.executing_eagerly():
        index = int(branch_index)
        return functions[index if 0 <= index < len(functions) else -1]()
    with name_scope(name, "case", [branch_index]):
        branches, structures = [], []
        for function in functions:
            builder = _rill.FunctionBuilder(_rill.get_default_graph())
            with builder.graph.as_default():
                structures.append(function())
                branches.append((builder, [_rill.convert_to_tensor(leaf) for leaf
                                           in _leaves(structures[-1]) if leaf is not None]))
        _check_branches_agree(branches, structures)
        if not branches[0][1]:
            _rill.indexed_case(branch_index, branches)
            return structures[0]
        results = _rill.indexed_case(branch_index, branches)
        return _packed(structures[0], results)


def _check_branches_agree(branches, structures):
    for i, (_, leaves) in enumerate(branches[1:], 1):
        try:
            _nest.assert_same_structure(structures[0], structures[i])
            for ours, first in zip(leaves, branches[0][1]):
                if ours.dtype.base_dtype != first.dtype.base_dtype:
                    raise TypeError(f"{first} and {ours} have different types")
        except (TypeError, ValueError) as error:
            raise TypeError(
                f"branches[0] and branches[{i}] arguments to tf.switch_case must have the same "
                "number, type, and overall structure of return values.\n\n"
                f"branches[0] output: {structures[0]}\nbranches[{i}] output: {structures[i]}\n\n"
                f"Error details:\n{error}") from None


def _flat_invariants(shape_invariants, loop_vars):
    """One shape for each leaf of `loop_vars`; a shape given as a list counts as one."""
    if shape_invariants is None:
        return _own_invariants(loop_vars)
    shapes = []

    def collect(shape, variable):
        if not _nest.is_nested(variable):
            shapes.extend(_invariants_of(shape, variable))
            return
        parts, variables = _nest.children(shape), _nest.children(variable)
        if len(parts) != len(variables):
            raise ValueError("shape_invariants and loop_vars don't have the same structure")
        for part, child in zip(parts, variables):
            collect(part, child)

    collect(shape_invariants, loop_vars)
    return shapes


def _ragged_invariants(shape, ragged_rank):
    """The shapes of flat values and splits: the rows may become longer and shorter, their number stays."""
    sizes = [None] * (ragged_rank + 1) if shape.ndims is None else shape.as_list()
    outer = [None if sizes[0] is None else sizes[0] + 1]
    return [None if shape.ndims is None else [None] + sizes[ragged_rank + 1:], outer] + [[None]] * (ragged_rank - 1)


def _own_invariants(loop_vars):
    """Those of variables that keep their shape, or None, which says the same where nothing is ragged."""
    leaves = _nest.flatten(loop_vars)
    if not any(map(_nest.is_ragged, leaves)):
        return None
    shapes = []
    for leaf in leaves:
        if _nest.is_ragged(leaf):
            shapes += _ragged_invariants(leaf.shape, leaf.ragged_rank)
        else:
            shapes += [np.shape(part) if not hasattr(part, "shape") else part.shape
                       for part in map(_flow_of, _nest.tensors_of(leaf))]
    return shapes


def _invariants_of(shape, variable):
    """The shapes of the tensors of one variable, from the shape that is given for it."""
    if _nest.is_ragged(variable):
        return _ragged_invariants(_rill.TensorShape(shape), variable.ragged_rank)
    kind = type(variable).__name__
    if kind == "SparseTensor":
        rank = _rill.TensorShape(shape).with_rank(1)[0]
        return [[None, rank], [None], [rank]]
    if kind == "IndexedSlices":
        shape = _rill.TensorShape(shape)
        rows = [None] if shape.ndims is None else [shape[0]]
        return [shape, rows] + ([] if variable.dense_shape is None else [[shape.ndims]])
    return [shape]


def while_loop(cond, body, loop_vars, shape_invariants=None, parallel_iterations=10,
               back_prop=True, swap_memory=False, name=None, maximum_iterations=None,
               return_same_structure=False):
    """The loop variables after `body` was applied to them as long as `cond` held."""
    if not loop_vars:
        raise ValueError("No loop variables provided")
    for function, what in ((cond, "cond"), (body, "body")):
        if not callable(function):
            raise TypeError(f"{what} must be callable.")
    if parallel_iterations < 1:
        raise TypeError("parallel_iterations must be a positive integer.")
    if _rill.executing_eagerly():
        return _loop_now(cond, body, loop_vars, maximum_iterations, return_same_structure)
    if _rill.has_functional_flow():
        return _functional_while(cond, body, loop_vars, shape_invariants, parallel_iterations, name,
                                 maximum_iterations, return_same_structure)
    variables = _leaves(loop_vars)
    with name_scope(name, "while", variables):
        builder = _rill.while_builder(
            variables, _flat_invariants(shape_invariants, loop_vars),
            parallel_iterations, back_prop, swap_memory, maximum_iterations)
        with builder.inside():
            packed = _packed(loop_vars, builder.begin_condition())
            builder.end_condition(cond(*_values(packed)))
            packed = _packed(loop_vars, builder.begin_body())
            result = body(*_values(packed))
            result = _checked_result(
                result, packed, maximum_iterations is not None, return_same_structure)
            if any(leaf is None for leaf in _nest.flatten(result)):
                raise ValueError("None values not supported.")
            exits = builder.end_body(_leaves(result))
        exits = _packed(result, exits)
        if maximum_iterations is not None or return_same_structure or len(
                _nest.flatten(result)) != 1:
            return exits
        return exits[0]


def _functional_while(cond, body, loop_vars, shape_invariants, parallel_iterations, name, maximum_iterations,
                      return_same_structure):
    """while_loop() in functions."""
    results = []

    def test(given):
        return cond(*_values(_packed(loop_vars, given)))

    def iterate(given):
        packed = _packed(loop_vars, given)
        result = body(*_values(packed))
        if maximum_iterations is not None and len(loop_vars) == 1 and not return_same_structure:
            result = [result] if not _nest.is_nested(result) or _nest.is_nested(loop_vars[0]) else result
        result = _checked_result(result, packed, False, return_same_structure)
        if any(leaf is None for leaf in _nest.flatten(result)):
            raise ValueError("None values not supported.")
        results.append(result)
        return _leaves(result)

    exits = functional_loop(test, iterate, _leaves(loop_vars), _flat_invariants(shape_invariants, loop_vars),
                            parallel_iterations, maximum_iterations, name)
    exits = _packed(results[0], exits)
    if return_same_structure or len(_nest.flatten(results[0])) != 1:
        return exits
    return exits[0]


def _loop_now(cond, body, loop_vars, maximum_iterations, return_same_structure):
    """while_loop where values are known at once."""
    iterations, alone = 0, False
    while (maximum_iterations is None or iterations < maximum_iterations) and cond(*_values(loop_vars)):
        result = body(*_values(loop_vars))
        alone = len(loop_vars) == 1 and not return_same_structure and not _nest.is_nested(result)
        checked = _checked_result(result, loop_vars, maximum_iterations is not None, return_same_structure)
        loop_vars = [checked] if alone and maximum_iterations is not None else checked
        iterations += 1
    ended = _nest.map_structure(lambda x: _rill.convert_to_tensor(x) if _is_plain(x) else x, loop_vars)
    return ended[0] if alone and _nest.is_nested(ended) else ended


def _is_plain(value):
    return isinstance(value, (int, float, complex, bool, str, bytes, np.ndarray, np.generic, _rill.VariableBase))


def _values(structure):
    return structure.values() if isinstance(structure, dict) else structure


def _checked_result(result, variables, limited, return_same_structure):
    """What the body returned, which must have the structure of the variables.

    With a limit the variables are one part of a larger structure, so that their own type counts.
    """
    if limited:
        single = len(variables) == 1 and not return_same_structure
        _nest.assert_same_structure(variables[0] if single else variables, result)
        return result
    if not _nest.is_nested(result):
        result = [result]
    _nest.assert_same_structure(list(variables), list(result))
    return result


def Assert(condition, data, summarize=None, name=None):
    """An operation that fails the step and shows `data` when `condition` is false."""
    if _rill.executing_eagerly():
        return _assert_now(condition, data, 3 if summarize is None else summarize)
    node = _rill.assert_true(condition, data, 3 if summarize is None else summarize,
                             name or "Assert")
    return node


def _assert_now(condition, data, summarize):
    condition = _rill.convert_to_tensor(condition)
    if condition:
        return
    shown = []
    for value in data:
        value = _rill.convert_to_tensor(value).numpy()
        flat = np.reshape(value, -1)
        parts = [str(item) for item in flat[:None if summarize < 0 else summarize]]
        shown.append(", ".join(parts + ["..."] * (len(flat) > len(parts))))
    raise errors.InvalidArgumentError(None, None, f"Expected '{condition!s}' to be true. Summarized data: "
                                      + "\n".join(shown))


def group(*inputs, **kwargs):
    """One operation that has run when all `inputs` have."""
    name = kwargs.pop("name", None)
    if kwargs:
        raise ValueError("Unknown keyword arguments: " + ", ".join(kwargs))
    if _rill.executing_eagerly():
        return None  # all have run
    leaves = _nest.flatten_tensors(list(inputs))
    for leaf in leaves:
        if not hasattr(leaf, "device"):
            raise TypeError(f"Expected tf.group() expected Tensor arguments not '{leaf}' with type '{type(leaf)}'")
    return _rill.group([leaf if isinstance(leaf, _rill.Operation) else leaf.op for leaf in leaves],
                       name or "group_deps")


def tuple_(tensors, name=None, control_inputs=None):
    """The same tensors, each of which is there only when all of them are."""
    if _rill.executing_eagerly():
        return tensors
    given = [_gated_part(tensor) for tensor in tensors if tensor is not None]
    if not given:
        raise ValueError(f"Must have at least one Tensor: {tensors}")
    results = iter(_rill.tuple(given, list(control_inputs or []), name or "tuple"))
    return [None if tensor is None else _with_gated_part(tensor, next(results))
            for tensor in tensors]


def _gated_part(tensor):
    if isinstance(tensor, IndexedSlices):
        return tensor.values
    return tensor if isinstance(tensor, _rill.Operation) else _rill.convert_to_tensor(tensor)


def _with_gated_part(tensor, gated):
    if not isinstance(tensor, IndexedSlices):
        return gated
    return IndexedSlices(gated, tensor.indices, tensor.dense_shape)


def with_dependencies(dependencies, output_tensor, name=None):
    """`output_tensor`, which is there only when `dependencies` have run."""
    gated = _rill.with_dependencies(list(dependencies), _gated_part(output_tensor),
                                    name or "control_dependency")
    return _with_gated_part(output_tensor, gated)


def smart_constant_value(pred):
    """The truth value of `pred` where it is known; None where it is not."""
    if isinstance(pred, bool) or (isinstance(pred, int) and pred in (0, 1)):
        return bool(pred)
    if isinstance(pred, _rill.Tensor):
        return _rill.known_truth(pred)
    raise TypeError("`pred` must be a Tensor, or a Python bool, or 1 or 0. "
                    f"Found instead: {pred!r} of type {type(pred).__name__}")


def smart_cond(pred, true_fn=None, false_fn=None, name=None):
    """cond where it must be; the result of one of the functions where `pred` is known."""
    for function, what in ((true_fn, "true_fn"), (false_fn, "false_fn")):
        if not callable(function):
            raise TypeError(f"`{what}` must be callable.")
    known = smart_constant_value(pred)
    if known is None:
        return cond(pred, true_fn=true_fn, false_fn=false_fn, name=name)
    return true_fn() if known else false_fn()


def smart_case(pred_fn_pairs, default=None, exclusive=False, name="smart_case"):
    """case where it must be; the result of one function where the predicates are known."""
    pairs = _checked_pairs(pred_fn_pairs)
    known = [smart_constant_value(pred) for pred, _ in pairs]
    if None in known:
        return case(pairs, default=default, exclusive=exclusive, name=name)
    for truth, (_, function) in zip(known, pairs):
        if truth:
            return function()
    return default() if default is not None else case(pairs, default, exclusive, name=name)


def switch(data, pred, dtype=None, name=None):
    """`data` as the first of two tensors where `pred` is false, as the second where it is true."""
    return raw_ops.Switch(data=_rill.convert_to_tensor(data, dtype=dtype, name="data"), pred=pred, name=name)


def merge(inputs, name=None):
    """Whichever of several tensors is there, and its place among them."""
    return raw_ops.Merge(inputs=inputs, name=name)
