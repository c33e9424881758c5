"""tf.print: what is shown of nested Python values, with places for the tensors in them."""

import pprint
import sys

from rill import _nest, _rill


class _Place:
    """Stands for a tensor in a structure that is written."""

    def __init__(self, text):
        self._text = text

    def __repr__(self):
        return self._text


def _stream_name(stream):
    if stream is None or stream is sys.stderr:
        return "stderr"
    if stream is sys.stdout:
        return "stdout"
    if isinstance(stream, str):
        return stream
    name = getattr(stream, "__name__", repr(stream))
    level = {"info": "info", "warn": "warning", "warning": "warning", "error": "error"}.get(name)
    if callable(stream) and level is not None:
        return f"log({level})"
    return f"{stream}"


def _is_sparse(value):
    return not isinstance(value, _rill.Tensor) and all(
        hasattr(value, part) for part in ("indices", "values", "dense_shape"))


def _template(inputs, sep, placeholder):
    """The text for `inputs`, and the tensors whose values stand at the placeholders."""
    tensors, parts = [], []

    def place(leaf):
        if _is_sparse(leaf):
            tensors.extend([leaf.indices, leaf.values, leaf.dense_shape])
            return (f"SparseTensor(indices={placeholder}, values={placeholder}, "
                    f"shape={placeholder})")
        if isinstance(leaf, _rill.Tensor) or hasattr(leaf, "_as_graph_element"):
            tensors.append(leaf)
            return _Place(placeholder)
        return leaf

    for value in inputs:
        if isinstance(value, str):
            parts.append(value)
            continue
        shown = _nest.map_structure(place, value)
        parts.append(shown if isinstance(shown, str) else pprint.pformat(shown))
    return sep.join(parts), tensors


def print_(*inputs, **kwargs):
    """An operation that writes `inputs` when it runs.

    Keywords: output_stream (sys.stderr, sys.stdout, a function of tf.logging, "file://path"),
    summarize (elements shown at both ends of each dimension; all if -1), end, sep, name.
    """
    stream = _stream_name(kwargs.pop("output_stream", None))
    summarize, end = kwargs.pop("summarize", 3), kwargs.pop("end", "\n")
    sep, name = kwargs.pop("sep", " "), kwargs.pop("name", None)
    if kwargs:
        raise ValueError(f"Unrecognized keyword arguments for tf.print: {kwargs}")
    text, _ = _template(inputs, sep, "")
    placeholder = _rill.placeholder_for(text)
    text, tensors = _template(inputs, sep, placeholder)
    return _rill.print_formatted(text, tensors, placeholder, stream,
                                 3 if summarize is None else summarize,
                                 "\n" if end is None else end, name or "")
