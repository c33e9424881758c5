"""tf.train.Checkpoint and CheckpointManager: objects in checkpoints."""

import json
import os
import pathlib

import numpy as np
import pytest
import tensorflow as tf

GOLDEN = pathlib.Path(__file__).parents[1] / "golden" / "objects"
ANSWERS = json.loads((GOLDEN / "answers.json").read_text())["checkpoint"]


def keys(path):
    return sorted(tf.train.NewCheckpointReader(path).get_variable_to_shape_map())


def objects():
    """What tools/object_goldens.py let TensorFlow save."""
    v = tf.Variable([0.0, 0.0], name="v")
    w = tf.get_variable("w", initializer=0.0, use_resource=True)
    dense = tf.layers.Dense(2)
    loss = tf.reduce_sum(dense(tf.ones([1, 2]))) + tf.reduce_sum(v) * w
    optimizer = tf.train.AdamOptimizer(0.1)
    step = tf.train.get_or_create_global_step()
    optimizer.minimize(loss, step)
    return tf.train.Checkpoint(v=v, opt=optimizer, parts=[w, {"a/b": dense}], inner=tf.train.Checkpoint(step=step))


def test_a_checkpoint_of_tensorflow_is_read():
    checkpoint = objects()
    status = checkpoint.restore(str(GOLDEN / ANSWERS["path"]))
    with tf.Session() as session:
        status.assert_consumed().assert_existing_objects_matched().assert_nontrivial_match()
        status.initialize_or_restore(session)
        for variable in tf.global_variables():
            np.testing.assert_allclose(session.run(variable), ANSWERS["values"][variable.op.name], rtol=1e-6)


def test_the_keys_are_tensorflows(tmp_path):
    checkpoint = objects()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        path = checkpoint.save(str(tmp_path / "ckpt"), session)
    assert path == str(tmp_path / "ckpt-1")
    assert keys(path) == ANSWERS["keys"]
    assert (tmp_path / "checkpoint").read_text() == ('model_checkpoint_path: "ckpt-1"\n'
                                                     'all_model_checkpoint_paths: "ckpt-1"\n')


def test_values_come_back_and_the_counter_goes_on(tmp_path):
    v = tf.Variable([1.0, 2.0])
    checkpoint = tf.train.Checkpoint(v=v)
    with tf.Session() as session:
        session.run(v.initializer)
        first = checkpoint.save(str(tmp_path / "c"), session)
        count = len(tf.get_default_graph().get_operations())
        second = checkpoint.save(str(tmp_path / "c"), session)
        assert len(tf.get_default_graph().get_operations()) == count
        assert (first[-2:], second[-2:]) == ("-1", "-2")
        session.run(v.assign([7.0, 8.0]))
        checkpoint.restore(second).assert_consumed().run_restore_ops(session)
        assert session.run(v).tolist() == [1.0, 2.0]
        count = len(tf.get_default_graph().get_operations())
        checkpoint.restore(first).run_restore_ops(session)
        assert len(tf.get_default_graph().get_operations()) == count
        assert session.run(checkpoint.save_counter) == 1
        assert checkpoint.save(str(tmp_path / "c"), session).endswith("-2")


def test_variables_that_are_made_later_are_found(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        saved = tf.train.Checkpoint(a=tf.Variable(5.0), b=tf.Variable(6.0))
        session.run(tf.global_variables_initializer())
        path = saved.save(str(tmp_path / "c"))
    checkpoint = tf.train.Checkpoint(a=tf.Variable(0.0))
    status = checkpoint.restore(path)
    with pytest.raises(AssertionError, match="Unresolved object in checkpoint"):
        status.assert_consumed()
    checkpoint.b = tf.Variable(0.0)
    extra = checkpoint.c = tf.Variable(3.0)
    with tf.Session() as session:
        status.initialize_or_restore(session)
        assert session.run([checkpoint.a, checkpoint.b, extra]) == [5.0, 6.0, 3.0]
    with pytest.raises(AssertionError, match="not bound to checkpointed values"):
        status.assert_existing_objects_matched()


def test_what_does_not_match_is_said(tmp_path):
    v, w = tf.Variable(1.0), tf.Variable(2.0)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        path = tf.train.Checkpoint(v=v).save(str(tmp_path / "c"))
        status = tf.train.Checkpoint(w=w).restore(path)
        with pytest.raises(AssertionError, match="Unresolved object"):
            status.assert_consumed()
        other = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0]))
        with pytest.raises(tf.errors.InvalidArgumentError):
            other.restore(path).run_restore_ops()
    with pytest.raises(ValueError, match="expecting a trackable object"):
        tf.train.Checkpoint(a=3)
    with pytest.raises(tf.errors.NotFoundError, match="Failed to find any matching files"):
        tf.train.Checkpoint(v=v).restore(str(tmp_path / "nothing"))


def test_no_checkpoint_is_initialised():
    v = tf.Variable(4.0)
    status = tf.train.Checkpoint(v=v).restore(None)
    for method in (status.assert_consumed, status.assert_existing_objects_matched, status.run_restore_ops):
        with pytest.raises(AssertionError, match="No checkpoint specified"):
            method()
    with tf.Session() as session:
        status.initialize_or_restore(session)
        assert session.run(v) == 4.0


def test_names_and_objects_read_each_other(tmp_path):
    v, w = tf.Variable([1.0], name="v"), tf.Variable(2.0, name="w", use_resource=True)
    checkpoint = tf.train.Checkpoint(x=v, y=w)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        by_name = tf.train.Saver().save(session, str(tmp_path / "names"))
        by_object = checkpoint.save(str(tmp_path / "objects"))
        session.run([v.assign([9.0]), w.assign(9.0)])
        checkpoint.restore(by_name).assert_consumed().run_restore_ops()
        assert session.run(v).tolist() == [1.0] and session.run(w) == 2.0
        session.run([v.assign([9.0]), w.assign(9.0)])
        saver = tf.train.Saver([v, w])
        saver.restore(session, by_object)
        assert session.run(v).tolist() == [1.0] and session.run(w) == 2.0
        new = tf.Variable(0.0, name="new")
        with pytest.raises(tf.errors.NotFoundError, match="Existing variables not in the checkpoint: new"):
            tf.train.Saver([v, new]).restore(session, by_object)


def test_modules_tables_and_states(tmp_path):
    class Net(tf.Module):
        def __init__(self):
            super().__init__()
            self.w, self._p = tf.Variable(1.0), tf.Variable(2.0)
            self.more = [tf.Variable(3.0), {"deep": tf.Variable(4.0)}]

    class Count(tf.train.experimental.PythonState):
        value = 0

        def serialize(self):
            return str(self.value).encode()

        def deserialize(self, string_value):
            self.value = int(string_value)

    table = tf.lookup.experimental.DenseHashTable(tf.string, tf.int64, -1, "", "-")
    count = Count()
    checkpoint = tf.train.Checkpoint(net=Net(), table=table, count=count)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(table.insert(["a"], [7]))
        count.value = 41
        checkpoint.save(str(tmp_path / "c"))
        count.value = 42
        path = checkpoint.save(str(tmp_path / "c"))
        assert [key for key in keys(path) if not key.startswith("_")] == [
            "count/.ATTRIBUTES/py_state", "net/_p/.ATTRIBUTES/VARIABLE_VALUE",
            "net/more/0/.ATTRIBUTES/VARIABLE_VALUE", "net/more/1/deep/.ATTRIBUTES/VARIABLE_VALUE",
            "net/w/.ATTRIBUTES/VARIABLE_VALUE", "save_counter/.ATTRIBUTES/VARIABLE_VALUE",
            "table/.ATTRIBUTES/table-keys", "table/.ATTRIBUTES/table-values"]
        session.run(table.insert(["a", "b"], [1, 2]))
        count.value = 0
        checkpoint.restore(path).assert_consumed().run_restore_ops()
        assert session.run(table.lookup(["a", "b"])).tolist() == [7, -1]
        assert count.value == 42


def test_optimizers_of_keras_with_slots(tmp_path):
    v = tf.Variable([1.0, 2.0], use_resource=True, name="v")
    optimizer = tf.keras.optimizers.Adam(0.5)
    train = optimizer.minimize(lambda: tf.reduce_sum(v * v), [v])
    checkpoint = tf.train.Checkpoint(v=v, optimizer=optimizer)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run([variable.initializer for variable in optimizer.weights])
        session.run([optimizer.learning_rate.initializer, optimizer.beta_1.initializer,
                     optimizer.beta_2.initializer, optimizer.decay.initializer])
        session.run(train)
        path = checkpoint.save(str(tmp_path / "c"))
        assert "v/.OPTIMIZER_SLOT/optimizer/m/.ATTRIBUTES/VARIABLE_VALUE" in keys(path)
        before = session.run([v, optimizer.get_slot(v, "m"), optimizer.iterations])
        session.run(train)
        checkpoint.restore(path).assert_consumed().run_restore_ops()
        after = session.run([v, optimizer.get_slot(v, "m"), optimizer.iterations])
    for left, right in zip(before, after):
        np.testing.assert_array_equal(left, right)


def test_the_manager_keeps_the_newest(tmp_path):
    v = tf.Variable(0.0)
    checkpoint = tf.train.Checkpoint(v=v)
    with pytest.raises(ValueError, match="Expected a positive integer or `None` for `max_to_keep`"):
        tf.train.CheckpointManager(checkpoint, str(tmp_path), max_to_keep=0)
    manager = tf.train.CheckpointManager(checkpoint, str(tmp_path), max_to_keep=2)
    assert manager.latest_checkpoint is None and manager.checkpoints == []
    with tf.Session() as session:
        session.run(v.initializer)
        paths = [manager.save() for _ in range(3)]
        named = manager.save(checkpoint_number=10)
    assert paths[0] == str(tmp_path / "ckpt-1") and named == str(tmp_path / "ckpt-10")
    assert manager.checkpoints == [paths[2], named] and manager.latest_checkpoint == named
    assert {name.split(".")[0] for name in os.listdir(tmp_path)} == {"checkpoint", "ckpt-3", "ckpt-10"}
    state = tf.train.get_checkpoint_state(str(tmp_path))
    assert len(state.all_model_checkpoint_timestamps) == 2 and state.last_preserved_timestamp > 0
    again = tf.train.CheckpointManager(checkpoint, str(tmp_path), max_to_keep=1, checkpoint_name="other")
    assert again.checkpoints == manager.checkpoints
    with tf.Session() as session:
        checkpoint.restore(again.latest_checkpoint).initialize_or_restore(session)
        assert again.save() == str(tmp_path / "other-4")
    assert again.checkpoints == [str(tmp_path / "other-4")]


def test_the_manager_preserves_some_for_good(tmp_path):
    v = tf.Variable(0.0)
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=v), str(tmp_path), max_to_keep=1,
                                         keep_checkpoint_every_n_hours=0.0)
    with tf.Session() as session:
        session.run(v.initializer)
        for _ in range(3):
            manager.save()
    assert manager.checkpoints == [str(tmp_path / "ckpt-3")]
    assert os.path.exists(tmp_path / "ckpt-1.index") and os.path.exists(tmp_path / "ckpt-2.index")


def test_contrib_tells_what_is_in_a_checkpoint(tmp_path):
    contrib = tf.contrib.checkpoint
    names, state = contrib.UniqueNameTracker(), contrib.NumpyState()
    for value in (1.0, 2.0):
        names.track(tf.Variable(value, name="v"), "v")
    state.array = np.arange(3)
    root = tf.train.Checkpoint(names=names, state=state, items=contrib.List(tf.Variable(3.0)))
    assert len(contrib.list_objects(root)) == 8
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        path = root.save(str(tmp_path / "c"))
        state.array = np.zeros(2)
        root.restore(path).assert_consumed().run_restore_ops()
    assert state.array.tolist() == [0, 1, 2]
    assert "names/v_1/.ATTRIBUTES/VARIABLE_VALUE" in keys(path)
    assert [child.local_name for child in contrib.object_metadata(path).nodes[0].children] == [
        "items", "names", "state", "save_counter"]
    assert 'N_0 -> N_1 [label="items"]' in contrib.dot_graph_from_checkpoint(path)
