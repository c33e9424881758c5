"""tfdbg's eval: Python expressions in which dumped tensors stand in back-ticks."""

import re

_TENSOR = re.compile(r"`([^`]+)`")
_NAME = re.compile(r"^(?:(?P<device>/job:[^`]*?/(?:device:)?[A-Za-z]+:\d+):)?(?P<node>[^:\[]+):(?P<slot>\d+)"
                   r"(?::(?P<op>\w+))?(?:\[(?P<which>\d+)\])?$")


def _value(dumps, name):
    from rill._tfdbg_data import _shown
    found = _NAME.match(name)
    if not found:
        raise ValueError(f"`{name}` does not name a tensor, as `node:0`, `node:0:DebugIdentity` or `node:0[1]` do")
    key = f"{found['node']}:{found['slot']}:{found['op'] or 'DebugIdentity'}"
    values = dumps.dumps_of(key, found["device"] or "")
    which = int(found["which"] or 0)
    if which >= len(values):
        raise ValueError(f"Eval failed due to the value of {key} being unavailable")
    return _shown(values[which].read())


def evaluate(dumps, expression):
    """The value of an expression."""
    import numpy as np
    values = []

    def place(match):
        values.append(_value(dumps, match[1]))
        return f"_values[{len(values) - 1}]"
    return eval(_TENSOR.sub(place, expression), {"np": np, "_values": values})  # the user's own words
