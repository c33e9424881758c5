"""What converted functions call: branches and loops that belong to the graph where they depend on tensors without
values, and to Python otherwise. Known to them as `ag__`."""

from rill import _control_flow, _rill, raw_ops
from rill.autograph import _values
from rill.autograph._api import converted_call  # noqa: F401
from rill.autograph._flow import Branches, check_same
from rill.autograph._loops import for_stmt, while_stmt  # noqa: F401
from rill.autograph._options import LoopOptions  # noqa: F401
from rill.autograph._values import NO_VALUE_RETURNED, UNDEFINED, is_symbolic, is_undefined, returned, state_of  # noqa: F401


def if_stmt(test, body, orelse, get_state, set_state, names, count):
    """if test: body else: orelse. The first `count` of the names are read afterwards."""
    test = _values.as_test(test)
    if not is_symbolic(test):
        return body() if test else orelse()
    _check_pred(test)
    before = get_state()
    branches = Branches(test)
    after = []
    for taken, block in ((True, body), (False, orelse)):
        set_state(before)
        with branches.inside(taken):
            block()
            after.append(get_state())
    set_state(before)
    set_state(_merged(branches, before, after, names, count))
    return None


def _check_pred(test):
    if test.dtype.base_dtype != _rill.bool:
        return
    if test.shape.ndims not in (None, 0):
        raise ValueError(f"condition of if statement expected to be `tf.bool` scalar, got {test}; to use as boolean "
                         "Tensor, use `tf.cast`; to check for None, use `is not None`")


def _merged(branches, before, after, names, count):
    """The values after a branch: what both have left alone, and tensors for the rest."""
    result, places, pairs = list(before), [], []
    for i, name in enumerate(names):
        true, false = after[0][i], after[1][i]
        if i >= count or true is false:
            result[i] = true if true is false else before[i]
        elif isinstance(true, bool) and isinstance(false, bool) and true == false:
            result[i] = true
        else:
            _check_defined(name, true, false)
            places.append(i)
            pairs.append((name, true, false))
    merged = branches.merge(pairs)
    for i, value in zip(places, merged):
        result[i] = value
    return tuple(result)


def _check_defined(name, true, false):
    for value, which in ((true, "main"), (false, "else")):
        if value is NO_VALUE_RETURNED:
            raise ValueError(f"the {which} branch must also have a return statement.")
        if value is UNDEFINED:
            raise ValueError(f"'{name}' must also be initialized in the {which} branch")
        if value is None and (true is not None or false is not None):
            raise ValueError(f"'{name}' is None at the end of the {which} branch.")
    check_same(name, true, false)


def if_exp(test, body, orelse, text):
    """body if test else orelse."""
    test = _values.as_test(test)
    if not is_symbolic(test):
        return body() if test else orelse()
    branches = Branches(test)
    values = []
    for taken, block in ((True, body), (False, orelse)):
        with branches.inside(taken):
            values.append(block())
    check_same(f"conditional expression `{text}`", *values)
    return branches.merge([(text, *values)])[0]


def and_(left, right):
    """left and right, of which the second is computed only if the first is true."""
    value = _values.as_test(left())
    if not is_symbolic(value):
        return value and right()
    return _decided(value, right, lambda: value)


def or_(left, right):
    """left or right, of which the second is computed only if the first is false."""
    value = _values.as_test(left())
    if not is_symbolic(value):
        return value or right()
    return _decided(value, lambda: value, right)


def _decided(pred, if_true, if_false):
    branches = Branches(pred)
    values = []
    for taken, block in ((True, if_true), (False, if_false)):
        with branches.inside(taken):
            values.append(_rill.convert_to_tensor(block()))
    return branches.merge([("", *values)])[0]


def not_(value):
    """not value."""
    value = _values.as_test(value)
    return raw_ops.LogicalNot(x=value) if is_symbolic(value) else not value


def assert_stmt(test, message):
    """assert test, message."""
    test = _values.as_test(test)
    if not is_symbolic(test):
        text = message()
        if text is None:
            assert test
        else:
            assert test, text
        return None
    text = message()
    return _control_flow.Assert(test, [text if text is not None else "assertion failed"])


def set_item(target, key, value):
    """target[key] = value, of a tensor a new one."""
    if not isinstance(target, _rill.Tensor):
        target[key] = value
        return target
    if target.dtype == _rill.variant:
        from rill.autograph import _lists
        return _lists.set_item(target, key, value)
    from rill import tensor_scatter_nd_update
    return tensor_scatter_nd_update(target, [[key]], [_rill.convert_to_tensor(value, dtype=target.dtype)])
