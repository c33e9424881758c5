"""while and for statements."""

from rill import _control_flow, _graph_names, _nest, _rill, raw_ops
from rill.autograph import _flow
from rill.autograph._options import LoopOptions
from rill.autograph._values import NO_VALUE_RETURNED, UNDEFINED, as_test, can_be_tensor, is_symbolic


class _State:
    """The names that a loop changes. Those that cannot be tensors stay Python's, and must stay what they are."""

    def __init__(self, get_state, set_state, names, live, options):
        self._get, self._set, self._names, self._live = get_state, set_state, names, live
        self._options = options
        self.before = get_state()
        if any(value is NO_VALUE_RETURNED for value in self.before):
            raise NotImplementedError(
                "a return statement cannot be placed inside this TensorFlow loop; this may happen if a return "
                "statement depends on a static Python condition such as a hyperparameter")
        self._carried = [i for i, value in enumerate(self.before) if can_be_tensor(value)]

    def carry_undefined(self, try_body):
        """A name that gets its value in the loop and is read after it begins with zeros."""
        sought = [i for i, value in enumerate(self.before)
                  if value is UNDEFINED and self._names[i] in self._live]
        if not sought:
            return
        after = try_body()
        found = dict(enumerate(self.before))
        for i in sought:
            if can_be_tensor(after[i]):
                found[i] = _nest.map_structure(_zeros_like_outside, after[i])
        self.before = tuple(found[i] for i in range(len(found)))
        self._set(self.before)
        self._carried = [i for i, value in enumerate(self.before) if can_be_tensor(value)]

    def values(self):
        return [self.before[i] for i in self._carried]

    def enter(self, values):
        """Gives the names these values."""
        all_values = list(self.before)
        for i, value in zip(self._carried, values):
            all_values[i] = value
        self._set(tuple(all_values))

    def leave(self):
        """The values at the end of the body."""
        now = self._get()
        for i, (old, new) in enumerate(zip(self.before, now)):
            if i in self._carried or new is old or self._names[i] not in self._live:
                continue
            if old is UNDEFINED:
                raise ValueError(f"'{self._names[i]}' must be defined before the loop.")
            raise TypeError(f"'{self._names[i]}' is {type(old).__name__} before the loop, but {type(new).__name__} "
                            "after one iteration, and cannot be the value of a tensor")
        return [now[i] for i in self._carried]

    def check(self, initial):
        """What checks that the body leaves types and shapes as they were."""
        names = [self._names[i] for i in self._carried]

        def compare(made):
            for name, old, new in zip(names, initial, made):
                self._compare(name, old, new)

        return compare

    def _compare(self, name, old, new):
        try:
            _nest.assert_same_structure(old, new, expand_composites=True)
        except (TypeError, ValueError) as error:
            raise TypeError(f"'{name}' does not have the same nested structure after one iteration.\n\n{error}") from None
        for a, b in zip(_nest.flatten(old), _nest.flatten(new)):
            if not isinstance(a, _rill.Tensor) or not isinstance(b, _rill.Tensor):
                continue
            if a.dtype.base_dtype != b.dtype.base_dtype:
                raise TypeError(f"'{name}' has dtype {a.dtype.base_dtype.name} before the loop, but dtype "
                                f"{b.dtype.base_dtype.name} after one iteration")
            invariant = self._options.shape_of(a)
            if not _covers(invariant, b.shape):
                if self._options.has_shape(a):
                    raise ValueError(f"'{name}' has shape {b.shape} after one iteration, which does not conform with "
                                     f"the shape invariant {invariant}.")
                raise ValueError(f"'{name}' has shape {a.shape} before the loop, but shape {b.shape} after one "
                                 "iteration. Use tf.autograph.experimental.set_loop_options to set shape invariants.")

    def run(self, test, body):
        """The loop in the graph; the names have their last values afterwards."""
        initial = [_flow._as_tensors(value) for value in self.values()]
        leaves = _control_flow.leaves_of(initial)
        shapes = [self._options.shape_of(leaf) for leaf in leaves]

        def tested(values):
            self.enter(values)
            return test()

        def iterated(values):
            self.enter(values)
            body()
            return self.leave()

        last = _flow.loop(tested, iterated, initial, shapes, self._options.parallel_iterations,
                          self._options.maximum_iterations, self.check(initial))
        self.enter(last)


def _covers(general, special):
    if general.ndims is None:
        return True
    if special.ndims is None or special.ndims != general.ndims:
        return False
    return all(a is None or a == b for a, b in zip(general.as_list(), special.as_list()))


def _zeros_like_outside(leaf):
    """Zeros of the type and shape of a tensor that is made in a loop."""
    if not isinstance(leaf, _rill.Tensor):
        return leaf
    shape = [size or 0 for size in leaf.shape.as_list()] if leaf.shape.ndims is not None else []
    from rill import zeros
    return zeros(shape, leaf.dtype)


def _tried(get_state, set_state, body):
    """The state after the body, which is built for that alone."""
    before = get_state()
    scratch = _rill.FunctionBuilder(_rill.get_default_graph())
    with scratch.graph.as_default():
        body()
        after = get_state()
    set_state(before)
    return after


def while_stmt(test, body, get_state, set_state, names, live, options):
    """while test(): body()."""
    goes_on = as_test(test())
    if not is_symbolic(goes_on):
        while goes_on:
            body()
            goes_on = as_test(test())
            if is_symbolic(goes_on):
                return _graph_while(test, body, get_state, set_state, names, live, options)
        return None
    return _graph_while(test, body, get_state, set_state, names, live, options)


def _graph_while(test, body, get_state, set_state, names, live, options):
    state = _State(get_state, set_state, names, live, options() if options is not None else LoopOptions())
    state.carry_undefined(lambda: _tried(get_state, set_state, body))
    state.run(test, body)


def for_stmt(elements, extra_test, body, get_state, set_state, names, live, options):
    """for ... in elements: body(element), while extra_test() holds where there is one."""
    loop = _graph_loop_of(elements)
    if loop is None:
        return _python_for(elements, extra_test, body, get_state, set_state, names)
    state = _State(get_state, set_state, names, live, options() if options is not None else LoopOptions())
    loop(elements, extra_test, body, state, get_state, set_state)
    return None


def _python_for(elements, extra_test, body, get_state, set_state, names):
    from rill.autograph import _operators
    for element in elements:
        if extra_test is not None:
            goes_on = extra_test()
            if is_symbolic(goes_on):
                _operators.if_stmt(goes_on, lambda element=element: body(element), lambda: None, get_state, set_state,
                                   names, len(names))
                continue
            if not goes_on:
                break
        body(element)


def _graph_loop_of(elements):
    if is_symbolic(elements):
        return _range_loop if elements.op.type == "Range" else _tensor_loop
    if _rill.executing_eagerly() or not _rill.has_functional_flow():
        return None
    if isinstance(elements, _rill.EagerTensor):
        return None
    kind = type(elements).__name__
    if kind == "RaggedTensor":
        return _ragged_loop
    from rill import data
    if isinstance(elements, data.Dataset):
        return _dataset_loop
    if hasattr(elements, "_get_next_optional"):
        return _iterator_loop
    return None


def _counted_loop(start, goes_on, step, element_of, extra_test, body, state, get_state, set_state):
    """A loop with a counter of its own beside the program's names."""
    def counted(index):
        return lambda: body(element_of(index))

    state.carry_undefined(lambda: _tried(get_state, set_state, counted(start)))
    initial = [_flow._as_tensors(value) for value in state.values()]
    check = state.check(initial)
    leaves = _control_flow.leaves_of(initial)
    shapes = [start.shape, *(state._options.shape_of(leaf) for leaf in leaves)]

    def test(values):
        state.enter(values[1:])
        within = goes_on(values[0])
        if extra_test is None:
            return within
        from rill.autograph import _operators
        return _operators.and_(lambda: within, extra_test)

    def iterate(values):
        state.enter(values[1:])
        counted(values[0])()
        made = [_flow._as_tensors(value) for value in state.leave()]
        check(made)
        return [step(values[0]), *made]

    last = _flow.loop(test, iterate, [start, *initial], shapes, state._options.parallel_iterations,
                      state._options.maximum_iterations)
    state.enter(last[1:])


def _zero():
    return _rill.constant(0, _rill.int32)


def _add(index, delta):
    return raw_ops.AddV2(x=index, y=delta)


def _tensor_loop(elements, extra_test, body, state, get_state, set_state):
    if elements.shape.ndims == 0:
        raise ValueError("cannot iterate over a scalar tensor")
    size = elements.shape.as_list()[0] if elements.shape.ndims is not None else None
    count = _rill.constant(size, _rill.int32) if size is not None else raw_ops.StridedSlice(
        input=raw_ops.Shape(input=elements), begin=[0], end=[1], strides=[1], shrink_axis_mask=1)
    if elements.dtype == _rill.variant:
        from rill.autograph import _lists
        count, at = _lists.length(elements), (lambda index: _lists.get_item(elements, index))
    else:
        def at(index):
            if elements.shape.ndims == 1:  # one node, where a slice is several
                return raw_ops.GatherV2(params=elements, indices=index, axis=0)
            return elements[index]
    _counted_loop(_zero(), lambda index: raw_ops.Less(x=index, y=count), lambda index: _add(index, 1), at,
                  extra_test, body, state, get_state, set_state)


def _range_loop(elements, extra_test, body, state, get_state, set_state):
    start, limit, delta = elements.op.inputs
    known = _graph_names.get_static_value(delta)

    def goes_on(index):
        if known is not None:
            return raw_ops.Less(x=index, y=limit) if known > 0 else raw_ops.Greater(x=index, y=limit)
        up = raw_ops.LogicalAnd(x=raw_ops.Greater(x=delta, y=raw_ops.ZerosLike(x=delta)),
                                y=raw_ops.Less(x=index, y=limit))
        down = raw_ops.LogicalAnd(x=raw_ops.Less(x=delta, y=raw_ops.ZerosLike(x=delta)),
                                  y=raw_ops.Greater(x=index, y=limit))
        return raw_ops.LogicalOr(x=up, y=down)

    _counted_loop(start, goes_on, lambda index: _add(index, delta), lambda index: index, extra_test, body, state,
                  get_state, set_state)


def _ragged_loop(elements, extra_test, body, state, get_state, set_state):
    _counted_loop(_zero(), lambda index: raw_ops.Less(x=raw_ops.Cast(x=index, DstT=_rill.int64), y=elements.nrows()),
                  lambda index: _add(index, 1), lambda index: elements[index], extra_test, body, state, get_state,
                  set_state)


def _dataset_loop(elements, extra_test, body, state, get_state, set_state):
    _iterator_loop(_control_flow.iterator_in_graph(elements), extra_test, body, state, get_state, set_state)


def _iterator_loop(iterator, extra_test, body, state, get_state, set_state):
    def next_optional(_=None):
        return iterator._get_next_optional()

    first = next_optional()
    _counted_loop(first._variant_tensor, lambda variant: raw_ops.OptionalHasValue(optional=variant),
                  lambda _: next_optional()._variant_tensor, lambda variant: first._like(variant).get_value(),
                  extra_test, body, state, get_state, set_state)


