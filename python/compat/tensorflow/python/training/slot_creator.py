"""Variables that belong to another one."""

from rill._rill import create_slot, create_slot_with_initializer, create_zeros_slot  # noqa: F401
