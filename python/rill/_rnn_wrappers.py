"""tf.nn.rnn_cell: cells around other cells."""

from rill import _nest, _nest_partial, _rill
from rill._rnn_base import LSTMStateTuple, RNNCell, assert_like_rnncell
from rill._scopes import device as device_scope, name_scope
from rill._tensor_array import TensorArray


class _CellWrapper(RNNCell):
    """A cell around another one, which has the variables and the names."""

    def __init__(self, *args, **kwargs):  # so TensorFlow shows it; _wrap says what there is
        self._wrap(*args, **kwargs)

    def _wrap(self, cell, **kwargs):
        super().__init__(**kwargs)
        assert_like_rnncell("cell", cell)
        self.cell = self._cell = cell

    def _call_wrapped_cell(self, inputs, state, cell_call_fn, **kwargs):
        raise NotImplementedError

    def __call__(self, inputs, state, scope=None):
        """The output of one step, and the new state."""
        return self._call_wrapped_cell(inputs, state, cell_call_fn=self.cell.__call__, scope=scope)

    @property
    def wrapped_cell(self):
        """The cell inside."""
        return self.cell

    @property
    def state_size(self):
        return self.cell.state_size

    @property
    def output_size(self):
        return self.cell.output_size

    def zero_state(self, batch_size, dtype):
        """The zero state of the cell inside."""
        with name_scope(type(self).__name__ + "ZeroState"):
            return self.cell.zero_state(batch_size, dtype)

    def get_config(self):
        return {**super().get_config(),
                "cell": {"class_name": type(self.cell).__name__, "config": self.cell.get_config()}}

    @classmethod
    def from_config(cls, config, custom_objects=None):
        config = dict(config)
        cell = config.pop("cell")
        try:
            assert_like_rnncell("cell", cell)
        except TypeError:
            raise ValueError("RNNCellWrapper cannot reconstruct the wrapped cell. Please overwrite the cell "
                             "in the config with a RNNCell instance.") from None
        return cls(cell, **config)


def _all_but_memory(substate):
    """What of a state is dropped where the program does not say it."""
    if isinstance(substate, LSTMStateTuple):
        return LSTMStateTuple(c=False, h=True)
    return not isinstance(substate, TensorArray)


_INPUT, _STATE, _OUTPUT = range(3)


class DropoutWrapper(_CellWrapper):
    """Sets elements of a cell's inputs, outputs and states to 0 at random."""

    def _wrap(self, cell, input_keep_prob=1.0, output_keep_prob=1.0, state_keep_prob=1.0,
              variational_recurrent=False, input_size=None, dtype=None, seed=None,
              dropout_state_filter_visitor=None, **kwargs):
        super()._wrap(cell, dtype=dtype, **kwargs)
        if dropout_state_filter_visitor is not None and not callable(dropout_state_filter_visitor):
            raise TypeError("dropout_state_filter_visitor must be callable. "
                            f"Received: {dropout_state_filter_visitor}")
        self._dropout_state_filter = dropout_state_filter_visitor or _all_but_memory
        self._dropout = _rill.CellDropout(
            {"input_keep_prob": input_keep_prob, "output_keep_prob": output_keep_prob,
             "state_keep_prob": state_keep_prob, "variational_recurrent": variational_recurrent,
             "input_size": None if input_size is None else _nest.flatten(input_size), "dtype": dtype,
             "seed": seed}, _nest.flatten(cell.state_size), _nest.flatten(cell.output_size))
        self._variational_recurrent, self._input_size, self._seed = variational_recurrent, input_size, seed
        self._input_keep_prob, self._state_keep_prob, self._output_keep_prob = (
            self._dropout.keep_prob(part) for part in (_INPUT, _STATE, _OUTPUT))

    def _drop(self, part, values, wanted=None):
        """The values with elements dropped in those tensors that `wanted`, a structure, says."""
        if not self._dropout.drops(part):
            return values
        wanted = values if wanted is None else wanted
        dropped, place = [], 0  # the place among all tensors, of which some may not be looked into
        for i, (want, value) in enumerate(zip(_nest.flatten(wanted),
                                              _nest_partial.flatten_up_to(wanted, values))):
            if isinstance(want, bool) and not want:
                dropped.append(value)
            else:
                dropped.append(self._dropout.drop(part, value, i, place))
            place += len(_nest.flatten(value))
        return _nest.pack_sequence_as(wanted, dropped)

    def _call_wrapped_cell(self, inputs, state, cell_call_fn, **kwargs):
        inputs = self._drop(_INPUT, inputs)
        output, new_state = cell_call_fn(inputs, state, **kwargs)
        if self._dropout.drops(_STATE):
            wanted = _nest_partial.get_traverse_shallow_structure(self._dropout_state_filter, new_state)
            new_state = self._drop(_STATE, new_state, wanted)
        return self._drop(_OUTPUT, output), new_state

    def get_config(self):
        config = {key: getattr(self, "_" + key) for key in (
            "input_keep_prob", "output_keep_prob", "state_keep_prob", "variational_recurrent",
            "input_size", "seed")}
        if self._dropout_state_filter is not _all_but_memory:
            config["dropout_state_filter_visitor"] = self._dropout_state_filter
        return {**super().get_config(), **config}


def _sum_with_inputs(inputs, outputs):
    _nest.assert_same_structure(inputs, outputs)
    _nest.map_structure(lambda i, o: i.shape.assert_is_compatible_with(o.shape), inputs, outputs)
    return _nest.map_structure(lambda i, o: i + o, inputs, outputs)


class ResidualWrapper(_CellWrapper):
    """Adds a cell's inputs to its outputs."""

    def _wrap(self, cell, residual_fn=None, **kwargs):
        super()._wrap(cell, **kwargs)
        self._residual_fn = residual_fn

    def _call_wrapped_cell(self, inputs, state, cell_call_fn, **kwargs):
        outputs, new_state = cell_call_fn(inputs, state, **kwargs)
        return (self._residual_fn or _sum_with_inputs)(inputs, outputs), new_state

    def get_config(self):
        config = {} if self._residual_fn is None else {"residual_fn": self._residual_fn}
        return {**super().get_config(), **config}


class DeviceWrapper(_CellWrapper):
    """Runs a cell on a device."""

    def _wrap(self, cell, device, **kwargs):
        super()._wrap(cell, **kwargs)
        self._device = device

    def zero_state(self, batch_size, dtype):
        """The zero state of the cell inside, on the device."""
        with name_scope(type(self).__name__ + "ZeroState"), device_scope(self._device):
            return self.cell.zero_state(batch_size, dtype)

    def _call_wrapped_cell(self, inputs, state, cell_call_fn, **kwargs):
        with device_scope(self._device):
            return cell_call_fn(inputs, state, **kwargs)

    def get_config(self):
        return {**super().get_config(), "device": self._device}
