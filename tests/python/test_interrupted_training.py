"""train_and_evaluate that is killed and started again: it goes on as if nothing had happened."""
import glob
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

import pytest
import tensorflow as tf

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{ROOT / 'python'}:{ROOT / 'python/compat'}"}
STEPS = 60

# Writes down which elements each step saw. Steps take a while, so that there are moments to be killed at.
CHILD = """
import json, os, signal, sys, time
import tensorflow as tf

folder, trace, pause = sys.argv[1], open(sys.argv[2], "a"), float(sys.argv[3])


def input_fn():
    data = tf.data.Dataset.range(40).shuffle(16, seed=7).repeat().map(lambda x: (x, tf.cast(x, tf.float32) / 40))
    data = data.batch(3).map(lambda x, y: ({"id": x, "x": tf.expand_dims(y, 1)}, tf.expand_dims(y * 3 + 1, 1)))
    return data.make_one_shot_iterator().get_next() if "ONE_SHOT" in os.environ else data


def model_fn(features, labels, mode):
    y = tf.layers.dense(features["x"], 1, kernel_initializer=tf.zeros_initializer())
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, {"y": y})
    loss = tf.losses.mean_squared_error(labels, y)
    step = tf.train.get_global_step()
    train_op = tf.train.AdamOptimizer(0.05).minimize(loss, step)
    tf.summary.scalar("seen", tf.reduce_sum(features["id"]))

    class Trace(tf.train.SessionRunHook):
        def before_run(self, context):
            return tf.train.SessionRunArgs([step, features["id"]])

        def after_run(self, context, values):
            time.sleep(pause)
            trace.write(json.dumps([int(values.results[0]), values.results[1].tolist()]) + "\\n")
            trace.flush()

    return tf.estimator.EstimatorSpec(mode, {"y": y}, loss, train_op, {"mae": tf.metrics.mean_absolute_error(labels, y)},
                                      training_hooks=[Trace()])


class Kill(tf.train.SessionRunHook):
    def end(self, session):
        os.kill(os.getpid(), signal.SIGKILL)


def receiver():
    x = tf.placeholder(tf.float32, [None, 1])
    return tf.estimator.export.ServingInputReceiver({"x": x, "id": tf.zeros([1])}, {"x": x})


config = tf.estimator.RunConfig(folder, tf_random_seed=1, save_checkpoints_steps=10, save_summary_steps=5,
                                log_step_count_steps=None)
model = tf.estimator.Estimator(model_fn, config=config)
print("begins", flush=True)
metrics, exports = tf.estimator.train_and_evaluate(
    model, tf.estimator.TrainSpec(input_fn, max_steps=%d, hooks=[Kill()] if len(sys.argv) > 4 else []),
    tf.estimator.EvalSpec(input_fn, steps=4, throttle_secs=0,
                          exporters=tf.estimator.FinalExporter("final", receiver)))
if metrics is None:  # killed when all was done
    metrics = model.evaluate(input_fn, steps=4, name="late")
weights = {name: model.get_variable_value(name).tolist() for name in model.get_variable_names()}
print(json.dumps([{key: float(value) for key, value in metrics.items()}, weights]))
""" % STEPS


def start(folder, trace, pause, **environment):
    return subprocess.Popen([sys.executable, "-c", CHILD, str(folder), str(trace), str(pause)],
                            env={**ENVIRONMENT, **environment}, stdout=subprocess.PIPE, text=True)


def finish(child):
    output, _ = child.communicate(timeout=300)
    assert child.returncode == 0
    return json.loads(output.splitlines()[-1])


def seen(trace):
    """What each step saw in the end: a step that was lost is taken again."""
    steps = {}
    for line in trace.read_text().splitlines():
        step, elements = json.loads(line)
        steps[step] = elements
    return steps


def events_of(path):
    """To the record that was being written when the process was killed, as TensorBoard reads them."""
    try:
        yield from tf.train.summary_iterator(path)
    except tf.errors.DataLossError:
        pass


def summaries(folder):
    """The numbers that TensorBoard shows: a restart takes away what came before it of the same steps and later."""
    shown = []
    for path in sorted(glob.glob(f"{folder}/events*"), key=lambda path: (os.path.getmtime(path), path)):
        for event in events_of(path):
            if event.session_log.status == tf.SessionLog.START:
                shown = [entry for entry in shown if entry[0] < event.step]
            shown += [(event.step, value.tag, value.simple_value) for value in event.summary.value
                      if value.HasField("simple_value") and value.tag != "global_step/sec"]
    return shown


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed")
    result = finish(start(folder / "model", folder / "trace", 0))
    return result, seen(folder / "trace"), summaries(folder / "model"), summaries(folder / "model/eval")


def kill_and_compare(folder, undisturbed, kills, longest, **environment):
    model, trace, chance, done = folder / "model", folder / "trace", random.Random(kills), 0
    while done < kills:
        child = start(model, trace, 0.02, **environment)
        assert child.stdout.readline() == "begins\n"
        time.sleep(chance.uniform(0.0, longest))
        if child.poll() is None:
            child.send_signal(signal.SIGKILL)
            done += 1
        else:
            assert child.returncode == 0
            check(json.loads(child.stdout.read().splitlines()[-1]), undisturbed, model, trace)
            break
        child.wait()
        child.stdout.close()
    else:
        child = start(model, trace, 0, **environment)
        assert child.stdout.readline() == "begins\n"
        check(finish(child), undisturbed, model, trace)
    return done


def check(result, undisturbed, model, trace):
    assert result == undisturbed[0]
    steps = seen(trace)  # but those that ended between their checkpoint and this hook
    assert steps.items() <= undisturbed[1].items()
    assert all(step % 10 == 0 for step in undisturbed[1].keys() - steps.keys())
    assert summaries(model) == undisturbed[2]
    assert summaries(model / "eval") == undisturbed[3]
    assert glob.glob(f"{model}/export/final/[0-9]*")
    assert not (model / "unfinished").exists()


def test_an_undisturbed_run(undisturbed):
    result, steps, shown, evaluated = undisturbed
    assert result[0]["global_step"] == STEPS
    assert sorted(steps) == list(range(1, STEPS + 1))
    assert [step for step, tag, _ in shown if tag == "loss"] == list(range(1, STEPS, 5))
    assert [step for step, tag, _ in evaluated if tag == "loss"] == list(range(10, STEPS + 1, 10))


def test_killed_three_times(tmp_path, undisturbed):
    assert kill_and_compare(tmp_path, undisturbed, 3, 1.2) >= 1


def test_killed_with_an_iterator_of_one_shot(tmp_path, undisturbed):
    assert kill_and_compare(tmp_path, undisturbed, 3, 1.0, ONE_SHOT="1") >= 1


@pytest.mark.long
def test_killed_fifty_times(tmp_path, undisturbed):
    done = round_number = 0
    while done < 50:
        folder = tmp_path / str(round_number)
        folder.mkdir()
        done += kill_and_compare(folder, undisturbed, 5 + round_number % 4, 1.5)
        round_number += 1


def test_the_result_of_the_end_is_not_lost(tmp_path, undisturbed):
    """Killed when the last checkpoint was evaluated and exported, and nobody knows the result yet."""
    arguments = [sys.executable, "-c", CHILD, str(tmp_path / "model"), str(tmp_path / "trace"), "0"]
    assert subprocess.run([*arguments, "kill"], env=ENVIRONMENT).returncode == -signal.SIGKILL
    assert (tmp_path / "model/unfinished/evaluated").read_text() == str(STEPS)
    done = subprocess.run(arguments, env=ENVIRONMENT, capture_output=True, text=True)
    check(json.loads(done.stdout.splitlines()[-1]), undisturbed, tmp_path / "model", tmp_path / "trace")
    assert len(glob.glob(str(tmp_path / "model/export/final/*"))) == 1
    assert not (tmp_path / "model/eval_late").exists()


def test_positions_can_be_switched_off(tmp_path):
    child = subprocess.run([sys.executable, "-c", CHILD, str(tmp_path / "model"), str(tmp_path / "trace"), "0", "kill"],
                           env={**ENVIRONMENT, "RILL_INPUT_POSITIONS": "0"})
    assert child.returncode == -signal.SIGKILL
    assert [path.name for path in (tmp_path / "model/unfinished").iterdir()] == ["evaluated"]


def test_another_input_begins_anew(tmp_path, undisturbed):
    """Positions that are of no use are left alone."""
    child = start(tmp_path / "model", tmp_path / "trace", 0.02)
    child.stdout.readline()
    deadline = time.time() + 60
    while not glob.glob(str(tmp_path / "model/unfinished/position-*.index")) and time.time() < deadline:
        time.sleep(0.01)
    child.send_signal(signal.SIGKILL)
    child.wait()
    for path in glob.glob(str(tmp_path / "model/unfinished/position-*.data*")):
        pathlib.Path(path).write_bytes(b"\0" * 10)
    result = finish(start(tmp_path / "model", tmp_path / "trace", 0))
    assert result[0]["global_step"] == STEPS
