"""Programs in C++ make the graphs that the same programs in Python make."""
import pathlib
import runpy
import shlex
import subprocess

import pytest

import tensorflow as tf

ROOT = pathlib.Path(__file__).resolve().parents[2]
RILL = ROOT / "bin" / "rill"
PROGRAMS = runpy.run_path(str(ROOT / "tests" / "twins" / "twins.py"))["PROGRAMS"]


def output(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def graphs(tmp_path_factory):
    """The directory that the C++ programs wrote their graphs to."""
    directory = tmp_path_factory.mktemp("twins")
    flags = shlex.split(output(RILL, "config", "--cflags", "--libs"))
    output("g++", ROOT / "tests" / "twins" / "twins.cc", *flags, "-lprotobuf", "-o", directory / "twins")
    output(directory / "twins", directory)
    return directory


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_equal_graphs(graphs, name):
    theirs = tf.GraphDef()
    theirs.ParseFromString((graphs / f"{name}.pb").read_bytes())
    with tf.Graph().as_default() as graph:
        PROGRAMS[name]()
        ours = graph.as_graph_def()
    assert [node.name for node in theirs.node] == [node.name for node in ours.node]
    for one, other in zip(theirs.node, ours.node):
        assert one == other
