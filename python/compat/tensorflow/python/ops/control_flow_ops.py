"""Branches and loops."""

from rill import Assert, case, cond, group, no_op, tuple, while_loop  # noqa: F401
from rill._control_flow import merge, smart_case, smart_cond, switch, with_dependencies  # noqa: F401
