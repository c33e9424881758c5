"""Recurrent networks: takes structures apart and packs them; the nodes are made in C++."""

from rill import _nest, _rill
from rill._control_flow import _leaves, _packed
from rill._rnn_base import assert_like_rnncell
from rill._scopes import name_scope
from rill._tensor_array import TensorArray


class _FlatCell:
    """A cell as C++ sees it: inputs, outputs and states are lists."""

    def __init__(self, cell, inputs, state=None, argument="cell"):
        assert_like_rnncell(argument, cell)
        self._cell, self._inputs, self.state = cell, inputs, state

    def state_sizes(self):
        return _nest.flatten(self._cell.state_size)

    def output_sizes(self):
        return _nest.flatten(self._cell.output_size)

    def initial_state(self, batch_size, dtype):
        if getattr(self._cell, "get_initial_state", None) is not None:
            self.state = self._cell.get_initial_state(inputs=None, batch_size=batch_size, dtype=dtype)
        else:
            self.state = self._cell.zero_state(batch_size, dtype)
        return _leaves(self.state)

    def step(self, inputs, state):
        output, new_state = self._cell(_packed(self._inputs, inputs), _packed(self.state, state))
        _nest.assert_same_structure(self._cell.output_size, output)
        _nest.assert_same_structure(self.state, new_state)
        return _leaves(output), _leaves(new_state)

    def given_state(self):
        """The state that the program gave, as C++ takes it."""
        return None if self.state is None else _leaves(self.state)

    def pack_output(self, outputs):
        return _nest.pack_sequence_as(self._cell.output_size, outputs)

    def pack(self, network):
        """The outputs and state of a network."""
        outputs, state = network
        return self.pack_output(outputs), _packed(self.state, state)


def dynamic_rnn(cell, inputs, sequence_length=None, initial_state=None, dtype=None,
                parallel_iterations=None, swap_memory=False, time_major=False, scope=None):
    """The outputs of all steps and the last state of a network that a loop runs."""
    flat = _FlatCell(cell, inputs, initial_state)
    return flat.pack(_rill.dynamic_rnn(flat, _nest.flatten(inputs), {
        "sequence_length": sequence_length, "initial_state": flat.given_state(), "dtype": dtype,
        "parallel_iterations": parallel_iterations, "swap_memory": swap_memory,
        "time_major": time_major, "scope": scope}))


def bidirectional_dynamic_rnn(cell_fw, cell_bw, inputs, sequence_length=None, initial_state_fw=None,
                              initial_state_bw=None, dtype=None, parallel_iterations=None,
                              swap_memory=False, time_major=False, scope=None):
    """Two networks, one of which reads its inputs backwards."""
    forward = _FlatCell(cell_fw, inputs, initial_state_fw, "cell_fw")
    backward = _FlatCell(cell_bw, inputs, initial_state_bw, "cell_bw")
    fw, bw = _rill.bidirectional_dynamic_rnn(forward, backward, _nest.flatten(inputs), {
        "sequence_length": sequence_length, "initial_state_fw": forward.given_state(),
        "initial_state_bw": backward.given_state(), "dtype": dtype,
        "parallel_iterations": parallel_iterations, "swap_memory": swap_memory,
        "time_major": time_major, "scope": scope})
    (output_fw, state_fw), (output_bw, state_bw) = forward.pack(fw), backward.pack(bw)
    return (output_fw, output_bw), (state_fw, state_bw)


def _checked_steps(inputs):
    if not _nest.is_nested(inputs):
        raise TypeError("inputs must be a sequence")
    if not inputs:
        raise ValueError("inputs must not be empty")
    return [_nest.flatten(step) for step in inputs]


def static_rnn(cell, inputs, initial_state=None, dtype=None, sequence_length=None, scope=None):
    """The outputs of all steps and the last state of a network with nodes for every step."""
    assert_like_rnncell("cell", cell)
    steps = _checked_steps(inputs)
    flat = _FlatCell(cell, inputs[0], initial_state)
    outputs, state = _rill.static_rnn(flat, steps, {
        "initial_state": flat.given_state(), "dtype": dtype, "sequence_length": sequence_length,
        "scope": scope})
    return [flat.pack_output(output) for output in outputs], _packed(flat.state, state)


def static_state_saving_rnn(cell, inputs, state_saver, state_name, sequence_length=None, scope=None):
    """static_rnn that starts with the saver's states and saves the last ones."""
    state_size = cell.state_size
    if _nest.is_nested(state_size) != _nest.is_nested(state_name):
        raise ValueError("Argument `state_name` should be the same type as `cell.state_size`. Received: "
                         f"state_name={state_name!s}, cell.state_size={state_size!s}.")
    names = _nest.flatten(state_name)
    if len(names) != len(_nest.flatten(state_size)):
        raise ValueError("Number of elements in argument `state_name` and `cell.state_size` are mismatched. "
                         f"Received state_name={state_name} with {len(names)} elements and "
                         f"cell.state_size={state_size} with {len(_nest.flatten(state_size))} elements.")
    steps = _checked_steps(inputs)
    flat = _FlatCell(cell, inputs[0], state_size)
    outputs, state = _rill.static_state_saving_rnn(flat, steps, state_saver, names, {
        "sequence_length": sequence_length, "scope": scope})
    return ([flat.pack_output(output) for output in outputs],
            _nest.pack_sequence_as(state_size, state))


def static_bidirectional_rnn(cell_fw, cell_bw, inputs, initial_state_fw=None, initial_state_bw=None,
                             dtype=None, sequence_length=None, scope=None):
    """Two networks, one of which reads its inputs backwards; their outputs side by side."""
    assert_like_rnncell("cell_fw", cell_fw)
    assert_like_rnncell("cell_bw", cell_bw)
    steps = _checked_steps(inputs)
    forward = _FlatCell(cell_fw, inputs[0], initial_state_fw, "cell_fw")
    backward = _FlatCell(cell_bw, inputs[0], initial_state_bw, "cell_bw")
    outputs, state_fw, state_bw = _rill.static_bidirectional_rnn(forward, backward, steps, {
        "initial_state_fw": forward.given_state(), "initial_state_bw": backward.given_state(),
        "dtype": dtype, "sequence_length": sequence_length, "scope": scope})
    return ([forward.pack_output(output) for output in outputs], _packed(forward.state, state_fw),
            _packed(backward.state, state_bw))


class _RawLoop:
    """A program's loop_fn for flat lists, and what it returned at first."""

    def __init__(self, cell, loop_fn):
        self._cell, self._loop_fn = cell, loop_fn
        self.flat = _FlatCell(cell, None)
        self.emit = self.loop_state = None

    def __call__(self, time, output, state, loop_state):
        if output is None:
            return self._first(time)
        answer = self._loop_fn(
            time, self.flat.pack_output(output), _packed(self.flat.state, state),
            None if self.loop_state is None else _packed(self.loop_state, loop_state))
        finished, next_input, next_state, emit, next_loop_state = answer
        _nest.assert_same_structure(self.flat.state, next_state)
        _nest.assert_same_structure(self.flat._inputs, next_input)
        _nest.assert_same_structure(self.emit, emit)
        if self.loop_state is None:
            next_loop_state = None
        return (finished, _leaves(next_input), _leaves(next_state), _leaves(emit),
                None if next_loop_state is None else _leaves(next_loop_state))

    def _first(self, time):
        finished, next_input, state, emit, self.loop_state = self._loop_fn(time, None, None, None)
        _nest.assert_same_structure(state, self._cell.state_size)
        self.flat._inputs, self.flat.state = next_input, state
        self.emit = self._cell.output_size if emit is None else emit
        return (finished, _leaves(next_input), _leaves(state),
                None if emit is None else _leaves(emit),
                None if self.loop_state is None else _leaves(self.loop_state))


def _array_of(dtype, handle, flow, element_shape):
    if handle is None:
        return TensorArray(dtype, size=int(flow.shape[0]), element_shape=element_shape).unstack(flow)
    with name_scope("rnn_results/"):  # takes no name that TensorFlow would not take
        return TensorArray(dtype, handle=handle, flow=flow, element_shape=element_shape)


def raw_rnn(cell, loop_fn, parallel_iterations=None, swap_memory=False, scope=None):
    """A loop in which the program chooses each next input and state."""
    assert_like_rnncell("cell", cell)
    if not callable(loop_fn):
        raise TypeError(f"Argument `loop_fn` must be a callable. Received: {loop_fn}.")
    loop = _RawLoop(cell, loop_fn)
    arrays, state, loop_state = _rill.raw_rnn(loop.flat, loop, {
        "parallel_iterations": parallel_iterations, "swap_memory": swap_memory, "scope": scope})
    arrays = _nest.pack_sequence_as(loop.emit, [_array_of(*array) for array in arrays])
    state = _packed(loop.flat.state, state)
    return arrays, state, None if loop_state is None else _packed(loop.loop_state, loop_state)
