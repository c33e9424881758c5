"""Libraries of custom ops."""

from rill import load_library, load_op_library
