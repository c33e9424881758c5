"""tf.summary.FileWriter with graphs: the bytes are made in C++, without messages of Python's."""

import gc
import glob

import pytest
import tensorflow as tf
from tensorflow.core.framework import graph_pb2
from tensorflow.core.protobuf import meta_graph_pb2


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as g:
        v = tf.Variable([1.0], name="v")
        tf.square(v, name="y")
        yield g


def events(folder):
    path, = glob.glob(f"{folder}/events.out.tfevents.*")
    return list(tf.train.summary_iterator(path))


def test_graphs_need_no_messages(graph, tmp_path, monkeypatch):
    want = graph.as_graph_def(add_shapes=True)
    kinds = graph_pb2.GraphDef, meta_graph_pb2.MetaGraphDef
    monkeypatch.setattr(graph_pb2, "GraphDef", None)
    monkeypatch.setattr(meta_graph_pb2, "MetaGraphDef", None)
    with tf.summary.FileWriter(str(tmp_path), graph) as writer:
        writer.add_graph(graph, global_step=7)
    monkeypatch.undo()
    written = events(tmp_path)
    graphs = [kinds[0].FromString(event.graph_def) for event in written if event.HasField("graph_def")]
    assert graphs == [want, want] and written[-1].step == 7
    meta, = [kinds[1].FromString(event.meta_graph_def) for event in written if event.HasField("meta_graph_def")]
    assert meta.graph_def == want and {"variables", "trainable_variables"} <= set(meta.collection_def)
    assert {op.name for op in meta.meta_info_def.stripped_op_list.op} >= {"VariableV2", "Square"}


def test_messages_are_written_as_they_are(graph, tmp_path):
    given = graph.as_graph_def()
    tf.summary.FileWriter(str(tmp_path), graph_def=given).close()
    written = events(tmp_path)
    assert [graph_pb2.GraphDef.FromString(e.graph_def) for e in written if e.HasField("graph_def")] == [given]
    with pytest.raises(TypeError, match="must be an instance of `Graph`"):
        tf.summary.FileWriter(str(tmp_path), graph="graph")
    with pytest.raises(ValueError, match="only graph, or graph_def"):
        tf.summary.FileWriter(str(tmp_path), graph=graph, graph_def=given)


@pytest.mark.parametrize("collects", [True, False])
def test_parsing_leaves_the_collector_as_it_was(graph, collects):
    (gc.enable if collects else gc.disable)()
    try:
        graph.as_graph_def()
        assert gc.isenabled() == collects
    finally:
        gc.enable()
