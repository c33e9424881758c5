"""Saving and restoring take little memory beyond the model, however large that is."""
import pathlib
import subprocess
import sys

import numpy as np
import pytest
import tensorflow as tf

ROOT = pathlib.Path(__file__).resolve().parents[2]
MEBIBYTES, ALLOWED = 300, 64


def memory_of(folder, *layout):
    """What bench/file_memory.py prints, in a process of its own."""
    command = [sys.executable, ROOT / "bench/file_memory.py", "rill", folder, str(MEBIBYTES), *layout]
    lines = subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout.split("\n")
    return {name: float(value) for name, value in (line.split() for line in lines if line)}


@pytest.mark.parametrize("tensors", ["30", "1"])
def test_little_memory_is_taken_beyond_the_model(tmp_path, tensors):
    taken = memory_of(tmp_path, tensors)
    assert MEBIBYTES - 1 < taken["model"] < MEBIBYTES + ALLOWED  # nothing is left that could be used
    assert taken["save"] < ALLOWED
    assert taken["restore"] < ALLOWED


def test_little_memory_is_taken_to_write_shards_side_by_side(tmp_path):
    taken = memory_of(tmp_path, "30", "2")
    assert taken["save"] < ALLOWED
    # Half of the variables are on another device than cpu:0, which reads for all.
    assert taken["restore"] < MEBIBYTES / 2 + ALLOWED


@pytest.mark.parametrize("use_resource", [False, True])
def test_a_broken_checkpoint_leaves_every_variable_as_it_was(tmp_path, use_resource):
    values = [np.full([1000], i, np.float32) for i in range(3)]
    variables = [tf.get_variable(f"v{i}", initializer=value, use_resource=use_resource)
                 for i, value in enumerate(values)]
    saver = tf.train.Saver()
    changes = [tf.assign_add(v, tf.ones_like(v)) for v in variables]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        path = saver.save(session, str(tmp_path / "model"))
        session.run(changes)
        data = pathlib.Path(path + ".data-00000-of-00001")
        whole = data.read_bytes()
        data.write_bytes(whole[:-4] + b"abcd")
        with pytest.raises(tf.errors.DataLossError):
            saver.restore(session, path)
        for value, now in zip(values, session.run(variables)):
            np.testing.assert_array_equal(now, value + 1)
        data.write_bytes(whole)
        saver.restore(session, path)
        for value, now in zip(values, session.run(variables)):
            np.testing.assert_array_equal(now, value)


@pytest.mark.parametrize("use_resource", [False, True])
def test_values_read_before_a_restore_stay(tmp_path, use_resource):
    v = tf.get_variable("v", initializer=np.arange(1000, dtype=np.float32), use_resource=use_resource)
    saver = tf.train.Saver()
    change = tf.assign(v, -v)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        path = saver.save(session, str(tmp_path / "model"))
        session.run(change)
        before = session.run(v)
        kept = before.copy()
        saver.restore(session, path)
        np.testing.assert_array_equal(before, kept)
        np.testing.assert_array_equal(session.run(v), np.arange(1000))


@pytest.mark.parametrize("use_resource", [False, True])
def test_what_is_fetched_of_a_checkpoint_leaves_the_variable_alone(tmp_path, use_resource):
    v = tf.get_variable("v", initializer=np.arange(1000, dtype=np.float32), use_resource=use_resource)
    saver = tf.train.Saver()
    change = tf.assign(v, -v)
    graph = tf.get_default_graph()
    restored = graph.get_tensor_by_name("save/RestoreV2:0")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        path = saver.save(session, str(tmp_path / "model"))
        session.run(change)
        fetched = session.run(restored, {"save/Const:0": path})
        np.testing.assert_array_equal(fetched, np.arange(1000))
        np.testing.assert_array_equal(session.run(v), -np.arange(1000))
        session.run(["save/restore_all"], {"save/Const:0": path})
        np.testing.assert_array_equal(session.run(v), np.arange(1000))
