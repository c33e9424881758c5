"""Ops that call functions."""

from rill.functional_ops import For, If, While, remote_call, symbolic_gradient  # noqa: F401
