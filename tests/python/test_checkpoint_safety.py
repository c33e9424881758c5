"""Savers that are killed or meet each other: the last whole checkpoint can always be restored."""
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import tensorflow as tf

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{ROOT / 'python'}:{ROOT / 'python/compat'}"}

# Every variable has the number of the save. With a step, without one, and cut into shards.
CHILD = """
import sys
import numpy as np
import tensorflow as tf

folder, how, first = sys.argv[1], sys.argv[2], int(sys.argv[3])
variables = [tf.Variable(np.full([5000], first, "float32"), name=f"v{i}") for i in range(4)]
more = [v.assign_add(tf.ones_like(v)) for v in variables]
saver = tf.train.Saver(max_to_keep=2, sharded=how == "sharded")
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(first, first + 100000):
        saver.save(session, folder + "/model", global_step=step if how == "steps" else None)
        if step == first:
            print("saved", flush=True)
        session.run(more)
"""


def restored(folder):
    """The one value that all variables of the newest checkpoint have."""
    path = tf.train.latest_checkpoint(str(folder))
    with tf.Graph().as_default(), tf.Session() as session:
        variables = [tf.get_variable(f"v{i}", [5000]) for i in range(4)]
        tf.train.Saver().restore(session, path)
        values = np.unique(session.run(variables))
    assert len(values) == 1, f"{path} is a mixture of {values}"
    if path.rsplit("-", 1)[-1].isdigit():
        assert values[0] == int(path.rsplit("-", 1)[-1])
    return int(values[0])


def kill_at_random_moments(folder, how, rounds):
    newest, chance = 0, random.Random(rounds)
    for _ in range(rounds):
        child = subprocess.Popen([sys.executable, "-c", CHILD, str(folder), how, str(newest + 1)],
                                 env=ENVIRONMENT, stdout=subprocess.PIPE)
        assert child.stdout.readline() == b"saved\n"
        time.sleep(chance.uniform(0.0, 0.06))
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        found = restored(folder)
        assert found > newest
        newest = found


@pytest.mark.parametrize("how", ["steps", "one", "sharded"])
def test_a_killed_program_leaves_a_whole_checkpoint(tmp_path, how):
    kill_at_random_moments(tmp_path, how, 4)


@pytest.mark.long
@pytest.mark.parametrize("how", ["steps", "one", "sharded"])
def test_a_program_may_be_killed_often(tmp_path, how):
    kill_at_random_moments(tmp_path, how, 200)


def test_what_the_killed_leave_is_cleared_away(tmp_path):
    def save():
        with tf.Graph().as_default(), tf.Session() as session:
            tf.get_variable("v0", [5000])
            session.run(tf.global_variables_initializer())
            tf.train.Saver().save(session, str(tmp_path / "model"))
        return sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*"))

    for how in ("one", "sharded"):
        kill_at_random_moments(tmp_path, how, 2)
    whole = ["checkpoint", "model.data-00000-of-00001", "model.index", "model.meta"]
    assert save() == whole
    # Not over the notes of one that was killed: its files would be nobody's.
    for name in (".checkpoint.state.lock", "model_temp/part-00000-of-00001.index", "model_temp/notes"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"process 17 of nowhere\n{tmp_path}/model\n")
    assert save() == [*whole, "model_temp", "model_temp/notes"]  # which are none of a save's


# --- two at once ---------------------------------------------------------------------------------

# Saves, and waits in the middle of it until it is told to go on.
HOLDER = """
import sys
import tensorflow as tf
from tensorflow.python.training import saver as saver_lib


def wait(value):
    print("writing", flush=True)
    sys.stdin.readline()
    return value


class Waiting(saver_lib.BaseSaverBuilder.SaveableObject):
    def __init__(self):
        value = tf.py_func(wait, [tf.constant(1.0)], tf.float32)
        super().__init__(value, [saver_lib.BaseSaverBuilder.SaveSpec(value, "", "slow")], "slow")

    def restore(self, tensors, shapes):
        return tf.no_op()


v = tf.Variable(1.0, name="v")
saver = tf.train.Saver({"v": v, "slow": Waiting()})
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    print(saver.save(session, sys.argv[1]), flush=True)
"""


class Holder:
    """A process that is in the middle of a save while this is open."""

    def __init__(self, path):
        self.path = path
        self.process = subprocess.Popen([sys.executable, "-c", HOLDER, path], env=ENVIRONMENT, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self):
        assert self.process.stdout.readline() == "writing\n"
        return self.process

    def __exit__(self, *_):
        out, _ = self.process.communicate("\n")
        if self.process.returncode == 0:
            assert out == self.path + "\n"


@pytest.fixture
def session():
    with tf.Graph().as_default(), tf.Session() as opened:
        v = tf.get_variable("v", initializer=2.0)
        opened.run(v.initializer)
        yield opened


def test_a_second_process_is_refused(tmp_path, session):
    saver = tf.train.Saver()
    with Holder(str(tmp_path / "model")) as other:
        for name in ("model", "different"):
            with pytest.raises(tf.errors.FailedPreconditionError) as error:
                saver.save(session, str(tmp_path / name))
            assert f"process {other.pid} of" in str(error.value)
            assert str(tmp_path / "checkpoint") in str(error.value)
        assert saver.last_checkpoints == []
        # What is not recorded is in nobody's way, and neither is another list.
        saver.save(session, str(tmp_path / "unrecorded"), write_state=False)
        saver.save(session, str(tmp_path / "best"), latest_filename="best_checkpoint")
    assert tf.train.latest_checkpoint(str(tmp_path)) == str(tmp_path / "model")
    assert tf.train.load_variable(str(tmp_path / "model"), "v") == 1.0
    saver.save(session, str(tmp_path / "model"))
    assert tf.train.load_variable(str(tmp_path / "model"), "v") == 2.0
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_one_that_was_killed_is_in_nobodys_way(tmp_path, session):
    with Holder(str(tmp_path / "model")) as other:
        other.kill()
        other.wait()
    saver = tf.train.Saver()
    saver.save(session, str(tmp_path / "model"))
    assert tf.train.load_variable(str(tmp_path / "model"), "v") == 2.0


def test_several_savers_of_a_program_take_turns(tmp_path, session):
    savers = [tf.train.Saver(max_to_keep=1), tf.train.Saver(sharded=True)]
    for step in range(3):
        for name, saver in zip(("often", "seldom"), savers):
            saver.save(session, str(tmp_path / name), global_step=step)
    assert tf.train.latest_checkpoint(str(tmp_path)) == str(tmp_path / "seldom-2")
    for path in ("often-2", "seldom-0", "seldom-1", "seldom-2"):
        assert tf.train.load_variable(str(tmp_path / path), "v") == 2.0


def test_a_file_that_cannot_grow_leaves_the_last_checkpoint(tmp_path, session):
    import resource
    saver, v = tf.train.Saver(), session.graph.get_collection("variables")[0]
    saver.save(session, str(tmp_path / "model"))
    session.run(v.assign(5.0))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    for room in (0, 3, 50, 120, 400):
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, limits[1]))
        try:
            saver.save(session, str(tmp_path / "model"))
        except (tf.errors.OpError, OSError, ValueError):
            pass
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        path = tf.train.latest_checkpoint(str(tmp_path))
        assert tf.train.load_variable(path, "v") in (2.0, 5.0)


def test_threads_of_a_program_save_side_by_side(tmp_path, session):
    import threading
    from tensorflow.python.training import saver as saver_lib
    inside, go_on = threading.Event(), threading.Event()

    def wait(value):
        inside.set()
        go_on.wait(60)
        return value

    class Waiting(saver_lib.BaseSaverBuilder.SaveableObject):
        def __init__(self):
            value = tf.py_func(wait, [tf.constant(1.0)], tf.float32)
            super().__init__(value, [saver_lib.BaseSaverBuilder.SaveSpec(value, "", "slow")], "slow")

        def restore(self, tensors, shapes):
            return tf.no_op()

    slow, quick = tf.train.Saver({"slow": Waiting()}), tf.train.Saver()
    thread = threading.Thread(target=lambda: slow.save(session, str(tmp_path / "slow")))
    thread.start()
    inside.wait(60)
    quick.save(session, str(tmp_path / "quick"))  # another path is fine
    go_on.set()
    thread.join()
    assert tf.train.load_variable(str(tmp_path / "slow"), "slow") == 1.0
    assert tf.train.load_variable(str(tmp_path / "quick"), "v") == 2.0
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith(".")]
