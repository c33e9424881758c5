"""Graphs of TensorFlows newer than 1.15, said in ops that 1.15 has."""
import numpy as np
import pytest
import tensorflow as tf

NEWER = 1645


def run_newer(change, fetch):
    """What `fetch` gives where the default graph's definition, changed, is one of a newer producer."""
    graph_def = tf.get_default_graph().as_graph_def()
    graph_def.versions.producer = NEWER
    for node in list(graph_def.node):
        change(graph_def, node)
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(graph_def, name="")
        return session.run(fetch)


def third(align=b"RIGHT_LEFT"):
    def change(_, node):
        if node.op.startswith("Matrix"):
            node.op = node.op.replace("V2", "V3")
            node.attr["align"].s = align
    return change


def test_one_diagonal():
    matrix = np.arange(12.0).reshape(3, 4)
    with tf.Graph().as_default():
        raw = tf.raw_ops
        raw.MatrixDiagV2(diagonal=[1.0, 2.0], k=1, num_rows=-1, num_cols=-1, padding_value=0.0, name="diag")
        raw.MatrixDiagPartV2(input=matrix, k=[-1, -1], padding_value=np.float64(0), name="part")
        raw.MatrixSetDiagV2(input=matrix, diagonal=[7.0, 8.0, 9.0], k=0, name="set")
        diag, part, other = run_newer(third(), ["diag:0", "part:0", "set:0"])
    assert diag.tolist() == [[0, 1, 0], [0, 0, 2], [0, 0, 0]]
    assert part.tolist() == [4, 9]
    assert np.diagonal(other).tolist() == [7, 8, 9] and other[0, 1] == 1


def test_several_diagonals():
    with tf.Graph().as_default():
        tf.raw_ops.MatrixDiagPartV2(input=np.arange(9.0).reshape(3, 3), k=[0, 1], padding_value=np.float64(-1), name="part")
        assert run_newer(third(b"LEFT_LEFT"), "part:0").tolist() == [[1, 5, -1], [0, 4, 8]]
        with pytest.raises((tf.errors.NotFoundError, ValueError), match="MatrixDiagPartV3"):
            run_newer(third(), "part:0")  # 1.15 has none that begin on the right


@pytest.mark.parametrize("op", ["SparseSegmentSum", "SparseSegmentMean", "SparseSegmentSqrtN"])
def test_wide_ids_of_segments(op):
    def change(graph_def, node):
        if node.op == op:
            node.attr["Tsegmentids"].type = tf.int64.as_datatype_enum
            node.input[2] = "wide"

    with tf.Graph().as_default(), tf.Session() as session:
        tf.constant(np.array([0, 0, 1], np.int64), name="wide")
        tf.constant(1.0, name="sum/segment_ids")  # a name that is taken
        arguments = {"data": [[1.0], [2.0], [4.0]], "indices": [0, 1, 2], "segment_ids": [0, 0, 1]}
        expected = session.run(getattr(tf.raw_ops, op)(**arguments, name="sum"))
        assert run_newer(change, "sum:0").tolist() == expected.tolist()
