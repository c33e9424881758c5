"""Functions that are called after each op of eager execution, and what these do about infinities and NaN."""

import contextlib
import enum

import numpy as np

from rill import _rill, logging


class ExecutionCallback(enum.Enum):
    """What is done about an infinity or NaN."""

    IGNORE = "ignore"
    PRINT = "print"
    RAISE = "raise"
    WARN = "warn"


class InfOrNanError(Exception):
    """An op has made an infinity or NaN."""

    def __init__(self, op_type, op_name, output_index, num_outputs, value):
        self.op_type, self.op_name = op_type, op_name
        self.output_index, self.num_outputs, self.value = output_index, num_outputs, value
        self.inf_count = int(np.count_nonzero(np.isinf(value)))
        self.nan_count = int(np.count_nonzero(np.isnan(value)))
        found = [f"{count} {name}(s)" for count, name in ((self.inf_count, "inf"), (self.nan_count, "nan")) if count]
        super().__init__(f"Output {output_index + 1} of {num_outputs} of TFE operation {op_type} (name: {op_name!r}) "
                         f"contains {' and '.join(found)} out of a total of {np.size(value)} element(s). "
                         f"Tensor value: {value}")


_callbacks = []
_last_error_action = [ExecutionCallback.IGNORE]


def _tell_all(op_type, inputs, attrs, outputs):
    if _telling:
        return  # ops of callbacks are nobody's business
    _telling.append(True)
    try:
        for callback in list(_callbacks):
            callback(op_type, inputs, attrs, outputs, None)
    finally:
        _telling.pop()


_telling = []


def add_execution_callback(callback):
    """`callback(op_type, inputs, attrs, outputs, op_name)` is called after each op."""
    _callbacks.append(callback)
    _rill.observe_eager_ops(_tell_all)


def clear_execution_callbacks():
    """Nothing is called any more."""
    _callbacks.clear()
    _rill.observe_eager_ops(None)


def inf_nan_callback(op_type, inputs, attrs, outputs, op_name, check_inf=True, check_nan=True,
                     action=ExecutionCallback.RAISE):
    """Looks for infinities and NaN in what an op has made."""
    del inputs, attrs
    action = ExecutionCallback(action)
    for index, output in enumerate(outputs):
        if not (output.dtype.is_floating or output.dtype.is_complex):
            continue
        value = output.numpy()
        if not (check_inf and np.any(np.isinf(value)) or check_nan and np.any(np.isnan(value))):
            continue
        error = InfOrNanError(op_type, op_name, index, len(outputs), value)
        if action is ExecutionCallback.RAISE:
            raise error
        if action is ExecutionCallback.PRINT:
            print(f"Warning: {error}")
        elif action is ExecutionCallback.WARN:
            logging.warn(str(error))


def inf_callback(op_type, inputs, attrs, outputs, op_name, action=ExecutionCallback.RAISE):
    """Looks for infinities."""
    inf_nan_callback(op_type, inputs, attrs, outputs, op_name, check_nan=False, action=action)


def nan_callback(op_type, inputs, attrs, outputs, op_name, action=ExecutionCallback.RAISE):
    """Looks for NaN."""
    inf_nan_callback(op_type, inputs, attrs, outputs, op_name, check_inf=False, action=action)


def seterr(inf_or_nan=None):
    """What is done from now on about infinities and NaN; what was done until now."""
    before = {"inf_or_nan": _last_error_action[0]}
    if inf_or_nan is None:
        return before
    action = ExecutionCallback(inf_or_nan)
    kept = [callback for callback in _callbacks if not hasattr(callback, "_of_seterr")]
    clear_execution_callbacks()
    for callback in kept:
        add_execution_callback(callback)
    if action is not ExecutionCallback.IGNORE:
        def check(*told):
            inf_nan_callback(*told, action=action)
        check._of_seterr = True
        add_execution_callback(check)
    _last_error_action[0] = action
    return before


@contextlib.contextmanager
def errstate(inf_or_nan=None):
    """seterr for a block."""
    before = seterr(inf_or_nan)
    try:
        yield
    finally:
        seterr(**before)
