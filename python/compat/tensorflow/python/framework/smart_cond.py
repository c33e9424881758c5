"""cond where it must be."""

from rill._control_flow import smart_case, smart_cond, smart_constant_value  # noqa: F401
