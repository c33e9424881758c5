"""Functions of a graph."""

from rill._defun import Defun  # noqa: F401
