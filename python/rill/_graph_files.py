"""Graphs written to files."""

import os

from rill import _rill, gfile
from rill._files import path_of


def write_graph(graph_or_graph_def, logdir, name, as_text=True):
    """Writes a graph to `logdir`/`name`, as text or as bytes, and returns that path."""
    graph_def = graph_or_graph_def
    if isinstance(graph_def, _rill.Graph):
        graph_def = graph_def.as_graph_def()
    path = os.path.join(logdir, name)
    if not logdir.startswith("gs:"):
        gfile.MakeDirs(logdir)
    if as_text:
        from google.protobuf import text_format
        content = text_format.MessageToString(graph_def).encode()
    else:
        content = graph_def.SerializeToString()
    _rill.write_whole_file(path_of(path), content)
    return path
