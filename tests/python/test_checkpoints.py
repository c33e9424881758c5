"""Checkpoints after a crash of the machine: what training goes on from, `rill checkpoints`, what is synced."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
import tensorflow as tf
from rill import checkpoints

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{ROOT / 'python'}:{ROOT / 'python/compat'}"}


def rill(*words, status=0):
    done = subprocess.run([ROOT / "bin" / "rill", *map(str, words)], capture_output=True, text=True)
    assert done.returncode == status, done.stderr + done.stdout
    return done.stdout if status < 2 else done.stderr


def train(folder, steps):
    """Trains so many steps more, with a checkpoint after every other one; the step that it began at."""
    with tf.Graph().as_default():
        step = tf.train.get_or_create_global_step()
        more = tf.assign_add(step, 1)
        with tf.train.MonitoredTrainingSession(checkpoint_dir=str(folder), save_checkpoint_steps=2,
                                               save_checkpoint_secs=None, save_summaries_steps=None,
                                               save_summaries_secs=None, log_step_count_steps=None) as session:
            began = session.run_step_fn(lambda step_context: step_context.session.run(step))
            for _ in range(steps):
                session.run(more)
    return began


@pytest.fixture
def trained(tmp_path):
    assert train(tmp_path, 6) == 0
    return tmp_path


def cut(path, size):
    path.write_bytes(path.read_bytes()[:size])


@pytest.mark.parametrize("size", [0, 1, 25, -2])
def test_training_goes_on_with_a_truncated_state_file(trained, size, capfd):
    cut(trained / "checkpoint", size)
    assert train(trained, 1) == 6
    assert "is damaged" in capfd.readouterr().err
    assert tf.train.latest_checkpoint(str(trained)) == str(trained / "model.ckpt-7")


def test_training_goes_on_from_the_checkpoint_before(trained, capfd):
    cut(trained / "model.ckpt-6.data-00000-of-00001", 3)
    assert train(trained, 1) == 4
    told = capfd.readouterr().err
    assert "model.ckpt-6 is damaged" in told and "Going on from" in told and "model.ckpt-4" in told
    assert train(trained, 1) == 5


def test_it_can_be_refused(trained):
    cut(trained / "model.ckpt-6.index", 20)
    checkpoints.set_recovery(False)
    try:
        assert not checkpoints.recovery()
        with pytest.raises(tf.errors.DataLossError, match="RILL_RECOVER=0"):
            train(trained, 1)
    finally:
        checkpoints.set_recovery(True)
    assert train(trained, 1) == 4


def test_the_environment_refuses(trained):
    cut(trained / "checkpoint", 10)
    program = f"import tensorflow as tf; print(tf.train.latest_checkpoint({str(trained)!r}))"
    run = [sys.executable, "-c", program]
    done = subprocess.run(run, env={**ENVIRONMENT, "RILL_RECOVER": "0"}, capture_output=True, text=True)
    assert done.returncode == 1 and "DataLossError" in done.stderr
    done = subprocess.run(run, env=ENVIRONMENT, capture_output=True, text=True)
    assert done.stdout.strip().endswith("model.ckpt-6")


def test_supervisors_go_on(trained):
    cut(trained / "checkpoint", 30)
    with tf.Graph().as_default():
        step = tf.train.get_or_create_global_step()
        supervisor = tf.train.Supervisor(logdir=str(trained), global_step=step, summary_op=None)
        with supervisor.managed_session(start_standard_services=False) as session:
            assert session.run(step) == 6


def test_estimators_go_on(tmp_path):
    def model_fn(features, labels, mode):
        step = tf.train.get_global_step()
        loss = tf.reduce_sum(tf.get_variable("w", [2])) * features
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=tf.assign_add(step, 1))

    def model():
        return tf.estimator.Estimator(model_fn, str(tmp_path), tf.estimator.RunConfig(save_checkpoints_steps=2))

    def data():
        return tf.data.Dataset.from_tensors(1.0).repeat()

    model().train(data, steps=4)
    cut(tmp_path / "checkpoint", 10)
    model().train(data, steps=2)
    assert model().get_variable_value("global_step") == 6
    cut(tmp_path / "model.ckpt-6.index", 10)
    model().train(data, steps=2)
    assert model().get_variable_value("global_step") == 6


def test_list_and_verify(trained):
    lines = rill("checkpoints", trained).splitlines()
    assert [line.split()[0] for line in lines] == [str(trained / f"model.ckpt-{n}") for n in (6, 4, 2, 0)]
    assert lines[0].endswith("newest") and lines[1].endswith("recorded")
    assert rill("checkpoints", "list", trained).splitlines() == lines
    assert all("whole" in line for line in rill("checkpoints", "verify", trained).splitlines())
    cut(trained / "model.ckpt-4.data-00000-of-00001", 2)
    (trained / "model.ckpt-8.index.tempstate5").write_bytes(b"half")
    assert "model.ckpt-4" in rill("checkpoints", "verify", trained, status=1)
    found = json.loads(rill("checkpoints", "verify", trained, "--json", status=1))
    assert [entry["damage"] is None for entry in found["checkpoints"]] == [True, False, True, True]
    assert found["newest"] == str(trained / "model.ckpt-6") and found["state_damage"] is None
    assert found["left_over"] == [str(trained / "model.ckpt-8.index.tempstate5")]
    assert [entry["step"] for entry in checkpoints.find(trained)] == [6, 4, 2, 0]
    assert "DAMAGED" in rill("checkpoints", "verify", trained, status=1)


def test_repair(trained):
    cut(trained / "model.ckpt-6.index", 10)
    cut(trained / "checkpoint", 10)
    rill("checkpoints", "verify", trained, status=1)
    assert "says so now" in rill("checkpoints", "repair", trained)
    assert tf.train.get_checkpoint_state(str(trained)).model_checkpoint_path == str(trained / "model.ckpt-4")
    assert json.loads(rill("checkpoints", "repair", trained, "--json"))["state_changed"] is False
    for index in trained.glob("*.index"):
        cut(index, 5)
    rill("checkpoints", "repair", trained, status=1)


def test_prune(trained):
    cut(trained / "model.ckpt-6.index", 10)
    would = rill("checkpoints", "prune", trained, "--keep", "2", "--dry-run")
    assert "would remove" in would and (trained / "model.ckpt-0.index").exists()
    rill("checkpoints", "prune", trained, "--keep=2")
    assert sorted(path.name for path in trained.glob("*.index")) == ["model.ckpt-2.index", "model.ckpt-4.index"]
    assert tf.train.latest_checkpoint(str(trained)) == str(trained / "model.ckpt-4")
    assert checkpoints.prune(trained, keep=1)["checkpoints"] == [str(trained / "model.ckpt-2")]


def test_wrong_command_lines(tmp_path):
    for words in ([], ["frob", tmp_path], [tmp_path, "--keep", "3"], ["prune", tmp_path, "--keep", "0"],
                  ["list", tmp_path, "--what"]):
        assert "Usage" in rill("checkpoints", *words, status=2) or words
    rill("checkpoints", tmp_path / "none", status=1)
    assert "has no checkpoints" in rill("checkpoints", tmp_path)
    assert "prune" in rill("checkpoints", "--help")


def test_show_event_files_up_to_a_cut(tmp_path):
    with tf.Graph().as_default():
        writer = tf.summary.FileWriter(str(tmp_path), graph=tf.get_default_graph())
        for step in range(5):
            writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="loss", simple_value=step)]), step)
        writer.close()
    path, = tmp_path.glob("*tfevents*")
    whole = path.stat().st_size
    cut(path, -7)
    for where in (path, tmp_path):
        text = rill("show", where)
        assert "loss  simple_value, 4 times, steps 0 to 3" in text
        assert "what follows cannot be read: truncated record at" in text and f"of {whole - 7} bytes" in text
    steps = []
    with pytest.raises(tf.errors.DataLossError, match="truncated record at"):
        for event in tf.train.summary_iterator(str(path)):
            steps.append(event.step)
    assert steps[-1] == 3
    cut(path, 9)
    assert "0 events" in rill("show", path)


def test_show_records_up_to_a_cut(tmp_path):
    path = tmp_path / "data.tfrecord"
    with tf.io.TFRecordWriter(str(path)) as writer:
        for _ in range(3):
            writer.write(b"x" * 100)
    cut(path, -30)
    text = rill("show", path)
    assert "2 records" in text and "truncated record at 232" in text


SAVES = """
import sys
import tensorflow as tf
folder = sys.argv[1]
v = tf.get_variable("v", [10])
model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(3,))])
with tf.Session() as session:
    tf.keras.backend.set_session(session)
    session.run(tf.global_variables_initializer())
    for version in (tf.train.SaverDef.V2, tf.train.SaverDef.V1):
        for _ in range(2):
            tf.train.Saver(write_version=version).save(session, f"{folder}/model{version}", global_step=1)
    tf.train.Saver(sharded=True).save(session, folder + "/shards")
    tf.train.Checkpoint(v=v).save(folder + "/objects", session)
    tf.saved_model.simple_save(session, folder + "/served", {"x": model.input}, {"y": model.output})
    tf.io.write_graph(session.graph, folder, "graph.pb", as_text=False)
    model.save(folder + "/keras.h5")
with tf.io.TFRecordWriter(folder + "/data.tfrecord") as writer:
    writer.write(b"x")
tf.summary.FileWriter(folder).close()
"""


@pytest.mark.skipif(shutil.which("strace") is None, reason="there is no strace")
@pytest.mark.parametrize("fsync", ["1", "0"])
def test_files_are_synced_before_they_get_their_names(tmp_path, fsync):
    trace = tmp_path / "trace"
    folder = tmp_path / "saved"
    folder.mkdir()
    done = subprocess.run(["strace", "-f", "-y", "-e", "trace=fsync,rename", "-o", trace, sys.executable, "-c", SAVES,
                           folder], env={**ENVIRONMENT, "RILL_FSYNC": fsync}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    synced, unsynced_names, renamed = set(), {}, 0
    for line in trace.read_text().splitlines():
        if found := re.search(r'rename\("([^"]+)", "([^"]+)"', line):
            old, new = found.groups()
            if fsync == "1":
                assert old in synced, f"{new} gets its name before its bytes are on the disk"
            synced.discard(old)
            synced.add(new)
            unsynced_names[new] = os.path.dirname(new)
            renamed += 1
        elif found := re.search(r"fsync\(\d+<([^>]+)>", line):
            assert fsync == "1"
            path = found.group(1)
            synced.add(path)
            unsynced_names = {new: where for new, where in unsynced_names.items() if where != path}
    assert renamed > 20
    if fsync == "0":
        return
    assert not unsynced_names
    kept = [str(path) for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".")]
    assert len(kept) > 15
    linked = {os.stat(path).st_ino for path in synced if os.path.exists(path)}
    assert [path for path in kept if os.stat(path).st_ino not in linked] == []


HOOKED = """
import os
import sys
import tensorflow as tf

folder = sys.argv[1]
more = tf.train.get_or_create_global_step().assign_add(1)
v = tf.get_variable("v", [1000])
with tf.train.MonitoredTrainingSession(checkpoint_dir=folder, save_checkpoint_steps=1, save_summaries_steps=0) as session:
    for _ in range(5):
        session.run(more)
        assert tf.train.latest_checkpoint(folder).endswith("-" + str(session.run(tf.train.get_global_step())))
with open(folder + "/state", "w") as state:
    print(os.getpid(), tf.train.latest_checkpoint(folder), file=state)
"""


@pytest.mark.skipif(shutil.which("strace") is None, reason="there is no strace")
@pytest.mark.parametrize("fsync", ["1", "wait"])
def test_hooks_leave_syncs_to_another_thread(tmp_path, fsync):
    trace = tmp_path / "trace"
    folder = tmp_path / "run"
    done = subprocess.run(["strace", "-f", "-y", "-e", "trace=fsync,rename,unlink", "-o", trace, sys.executable, "-c",
                           HOOKED, folder], env={**ENVIRONMENT, "RILL_FSYNC": fsync}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    main, newest = (folder / "state").read_text().split()
    assert newest == str(folder / "model.ckpt-5")
    threads, synced, recorded = set(), set(), 0
    for line in trace.read_text().splitlines():
        if (found := re.search(r"fsync\(\d+<([^>]+)>", line)) and "model.ckpt" in found.group(1):
            threads.add(line.split()[0])
            synced.add(found.group(1))
        elif re.search(r'rename\(.*/run/checkpoint"', line):  # the state file speaks of the next one
            names = [f"{folder}/model.ckpt-{recorded}{rest}" for rest in (".data-00000-of-00001", ".index", ".meta")]
            if fsync == "1":
                assert synced >= set(names)
            recorded += 1
    assert recorded == 6
    if fsync == "1":
        assert threads and main not in threads
    else:
        assert main in threads
