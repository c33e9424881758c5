"""tf.distribute: what replicas build and learn, beside one device; processes that train together."""
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest
import rill as tf

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CPUS = tf.ConfigProto(device_count={"CPU": 4})


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as g:
        yield g


def mirrored(count=2):
    return tf.distribute.MirroredStrategy([f"/cpu:{i}" for i in range(count)])


OPTIMIZERS = {
    "sgd": lambda: tf.train.GradientDescentOptimizer(0.1),
    "momentum": lambda: tf.train.MomentumOptimizer(0.1, 0.9),
    "adam": lambda: tf.train.AdamOptimizer(0.1),
}


def losses_of(strategy, replicas, optimizer, embedded=False, steps=5):
    rows = 8
    x = np.arange(rows, dtype=np.float32).reshape(rows, 1) / rows
    ids = np.arange(rows) % 3
    y = 3 * x - 1
    with tf.Graph().as_default(), strategy.scope():
        tf.set_random_seed(1)
        opt = OPTIMIZERS[optimizer]()
        step_count = tf.train.get_or_create_global_step()
        dataset = tf.data.Dataset.from_tensor_slices((x, ids, y)).batch(rows).repeat()
        iterator = strategy.make_dataset_iterator(dataset)

        def step(element):
            xs, words, ys = element
            w = tf.get_variable("w", [1, 1], initializer=tf.zeros_initializer())
            guess = tf.matmul(xs, w)
            if embedded:
                table = tf.get_variable("table", [3, 1], initializer=tf.ones_initializer())
                guess += tf.nn.embedding_lookup(table, words)
            loss = tf.reduce_sum(tf.square(guess - ys)) / rows
            train = opt.minimize(loss, global_step=step_count)
            with tf.control_dependencies([train]):
                return tf.identity(loss)

        loss = strategy.reduce(tf.distribute.ReduceOp.SUM, strategy.experimental_run(step, iterator), axis=None)
        with tf.Session(config=CPUS) as sess:
            sess.run(iterator.initialize())
            sess.run(tf.global_variables_initializer())
            found = [sess.run(loss) for _ in range(steps)]
            assert sess.run(step_count) == steps
            return found


@pytest.mark.parametrize("embedded", [False, True])
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_replicas_learn_what_one_device_learns(optimizer, embedded):
    one = losses_of(tf.distribute.OneDeviceStrategy("/cpu:0"), 1, optimizer, embedded)
    for strategy in (mirrored(2), mirrored(4),
                     tf.distribute.experimental.CentralStorageStrategy(["/cpu:0", "/cpu:1"], "/cpu:0")):
        np.testing.assert_allclose(losses_of(strategy, 2, optimizer, embedded), one, rtol=1e-5)


def test_names_are_tensorflows():
    strategy = mirrored()
    with strategy.scope():
        v = tf.get_variable("v", [], initializer=tf.zeros_initializer())
        assert tf.distribute.has_strategy() and tf.distribute.in_cross_replica_context()
        assert tf.distribute.get_replica_context() is None
        assert tf.distribute.get_strategy() is strategy

        def fn():
            assert tf.distribute.get_replica_context().num_replicas_in_sync == 2
            return tf.identity(v + 1.0, name="out")

        per_replica = strategy.experimental_run_v2(fn)
    assert repr(v) == ("MirroredVariable:{\n"
                       "  0 /replica:0/task:0/device:CPU:0: <tf.Variable 'v:0' shape=() dtype=float32>,\n"
                       "  1 /replica:0/task:0/device:CPU:1: <tf.Variable 'v/replica_1:0' shape=() dtype=float32>\n}")
    names = [t.name for t in strategy.experimental_local_results(per_replica)]
    assert names == ["out:0", "replica_1/out:0"]
    assert [x.name for x in tf.global_variables()] == ["v:0"]
    assert not tf.distribute.has_strategy()


def test_a_failing_replica_fails_the_call():
    with mirrored().scope() as strategy:
        def fn():
            context = tf.distribute.get_replica_context()
            context.merge_call(lambda s, x: x, args=(1,))
            if tf.distribute.get_replica_context().devices[0].endswith("CPU:1"):
                raise KeyError("here")

        with pytest.raises(KeyError, match="here"):
            strategy.experimental_run_v2(fn)


def test_checkpoints_go_between_strategies(tmp_path):
    def model():
        v = tf.get_variable("v", [2], initializer=tf.ones_initializer())
        seen = tf.get_variable("seen", [], initializer=tf.zeros_initializer(), trainable=False,
                               synchronization=tf.VariableSynchronization.ON_READ,
                               aggregation=tf.VariableAggregation.SUM)
        return v, seen

    path = str(tmp_path / "model")
    with tf.Graph().as_default():
        strategy = mirrored()
        with strategy.scope():
            v, seen = model()
            count = strategy.experimental_run_v2(lambda: seen.assign_add(1.0))
            saver = tf.train.Saver()
        with tf.Session(config=CPUS) as sess:
            sess.run(tf.global_variables_initializer())
            sess.run(strategy.experimental_local_results(count))
            sess.run(v.assign([3.0, 4.0]))
            saver.save(sess, path)
    assert dict(tf.train.list_variables(path)) == {"v": [2], "seen": []}
    with tf.Graph().as_default(), tf.Session() as sess:
        v, seen = model()
        tf.train.Saver().restore(sess, path)
        assert sess.run(v).tolist() == [3.0, 4.0] and sess.run(seen) == 2.0
    with tf.Graph().as_default():
        strategy = mirrored(3)
        with strategy.scope():
            v, seen = model()
            saver = tf.train.Saver()
        with tf.Session(config=CPUS) as sess:
            saver.restore(sess, path)
            assert [sess.run(c).tolist() for c in strategy.experimental_local_results(v)] == [[3.0, 4.0]] * 3
            assert sess.run(seen.read_value()) == pytest.approx(2.0)


def test_estimators_train_on_replicas(tmp_path):
    def input_fn():
        x = np.arange(16, dtype=np.float32).reshape(16, 1) / 16
        return tf.data.Dataset.from_tensor_slices(({"x": x}, 2 * x)).repeat().batch(4)

    def model_fn(features, labels, mode):
        w = tf.get_variable("w", [1, 1], initializer=tf.zeros_initializer())
        loss = tf.losses.mean_squared_error(labels, tf.matmul(features["x"], w))
        train = None
        if mode == tf.estimator.ModeKeys.TRAIN:
            train = tf.train.GradientDescentOptimizer(0.5).minimize(loss, tf.train.get_global_step())
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)

    config = tf.estimator.RunConfig(train_distribute=mirrored(), session_config=CPUS)
    estimator = tf.estimator.Estimator(model_fn, str(tmp_path), config)
    estimator.train(input_fn, steps=60)
    assert estimator.get_variable_value("w")[0, 0] == pytest.approx(2.0, abs=0.05)
    assert estimator.evaluate(input_fn, steps=4)["global_step"] == 60


def test_loops_in_eager_execution():
    program = """
        import numpy as np
        import tensorflow.compat.v1 as tf
        tf.enable_eager_execution()
        s = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
        with s.scope():
            v = tf.Variable(1.0)
            opt = tf.train.GradientDescentOptimizer(0.1)
        batches = s.experimental_distribute_dataset(tf.data.Dataset.from_tensor_slices(np.float32(range(8))).batch(4))

        def step(b):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum((v * b - 2 * b) ** 2) / 4
            opt.apply_gradients(zip(tape.gradient(loss, [v]), [v]))
            return loss

        with s.scope():
            for b in batches:
                loss = s.reduce(tf.distribute.ReduceOp.SUM, s.experimental_run_v2(step, args=(b,)), axis=None)
                print("%.5f" % loss.numpy(), ["%.5f" % c.numpy() for c in s.experimental_local_results(v)])
        """
    ran = subprocess.run([os.path.join(ROOT, "bin", "rill"), "run", "-c", textwrap.dedent(program)], text=True,
                         timeout=60, capture_output=True, env={**os.environ, "RILL_PYTHON": sys.executable})
    assert ran.stdout.splitlines() == ["3.50000 ['1.70000', '1.70000']", "2.83500 ['3.59000', '3.59000']"], ran.stderr


def test_keras_trains_under_a_scope():
    x = np.linspace(-1, 1, 64).reshape(32, 2).astype(np.float32)
    y = x.sum(1, keepdims=True)

    def losses(scope):
        with tf.Graph().as_default(), tf.Session(config=CPUS):
            with scope():
                model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones", input_shape=(2,)),
                                             tf.keras.layers.Dense(1, kernel_initializer="ones")])
                model.compile(optimizer=tf.keras.optimizers.SGD(0.05), loss="mse")
            return model.fit(x, y, batch_size=8, epochs=2, shuffle=False, verbose=0).history["loss"]

    import contextlib
    np.testing.assert_allclose(losses(mirrored().scope), losses(contextlib.nullcontext), rtol=1e-5)


def launched(tmp_path, program, *options, **variables):
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent(program))
    return subprocess.run([os.path.join(ROOT, "bin", "rill"), "launch", *options, str(path)], text=True, timeout=120,
                          capture_output=True, env={**os.environ, "RILL_PYTHON": sys.executable, **variables})


WORKERS = """
    import numpy as np
    import tensorflow.compat.v1 as tf
    resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    server = tf.distribute.Server(resolver.cluster_spec(), resolver.task_type, resolver.task_id)
    strategy = tf.distribute.experimental.MultiWorkerMirroredStrategy()
    with strategy.scope():
        x = np.arange(8, dtype=np.float32).reshape(8, 1) / 8
        dataset = tf.data.Dataset.from_tensor_slices((x, 3 * x - 1))
        workers, index = strategy.num_replicas_in_sync, resolver.task_id
        batches = dataset.shard(workers, index).batch(8 // workers).repeat()
        iterator = strategy.make_input_fn_iterator(lambda context: batches)
        opt = tf.train.MomentumOptimizer(0.1, 0.9)

        def step(element):
            w = tf.get_variable("w", [1, 1], initializer=tf.random_normal_initializer(seed=resolver.task_id))
            loss = tf.reduce_sum(tf.square(tf.matmul(element[0], w) - element[1])) / 8
            with tf.control_dependencies([opt.minimize(loss)]):
                return tf.identity(loss)

        loss = strategy.reduce("SUM", strategy.experimental_run(step, iterator), axis=None)
        w = tf.global_variables()[0]
    config = strategy.update_config_proto(tf.ConfigProto())
    with tf.Session(server.target, config=config) as sess:
        sess.run(iterator.initialize())
        sess.run(tf.global_variables_initializer())
        print("begins", float(sess.run(strategy.experimental_local_results(w)[0])[0, 0]))
        for _ in range(5):
            print("loss %.6f" % sess.run(loss))
"""


def lines_of(output, task):
    return [line.split("] ", 1)[1] for line in output.splitlines() if line.startswith(f"[{task}] ")]


def test_workers_train_together(tmp_path):
    ran = launched(tmp_path, WORKERS, "-n", "2", "--restarts=0")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    first, second = lines_of(ran.stdout, "worker 0"), lines_of(ran.stdout, "worker 1")
    assert first == second and len(first) == 6, ran.stdout + ran.stderr


def test_a_killed_worker_goes_on_from_the_checkpoint(tmp_path):
    program = textwrap.dedent(WORKERS).replace("import numpy as np", "import os, signal\nimport numpy as np")
    program = program[:program.index("config =")].replace("minimize(loss)", "minimize(loss, global_step=gs)").replace(
        "    opt = ", "    gs = tf.train.get_or_create_global_step()\n    opt = ") + textwrap.dedent(f"""
        init, folder = iterator.initialize(), {str(tmp_path)!r}
        class Begin(tf.train.SessionRunHook):
            def after_create_session(self, session, coord):
                session.run(init)
        with tf.train.MonitoredTrainingSession(
                server.target, True, folder, hooks=[Begin(), tf.train.StopAtStepHook(last_step=12)],
                save_checkpoint_steps=4 if resolver.task_id == 0 else None, save_checkpoint_secs=None,
                save_summaries_steps=None, save_summaries_secs=None,
                config=strategy.update_config_proto(tf.ConfigProto())) as sess:
            while not sess.should_stop():
                value, at = sess.run([loss, gs])
                if resolver.task_id == 1 and at == 7 and not os.path.exists(folder + "/killed"):
                    open(folder + "/killed", "w").close()
                    os.kill(os.getpid(), signal.SIGKILL)
        print("end %.5f" % value)
        """)
    ran = launched(tmp_path, program, "-n", "2")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "worker 1 ended with status 137" in ran.stderr
    ends = [lines_of(ran.stdout, f"worker {i}")[-1] for i in range(2)]
    assert ends[0] == ends[1] and ends[0].startswith("end "), ran.stdout


def test_horovod(tmp_path):
    ran = launched(tmp_path, """
        import numpy as np
        import tensorflow.compat.v1 as tf
        import horovod.tensorflow as hvd
        hvd.init()
        x = np.arange(8, dtype=np.float32).reshape(8, 1) / 8
        mine = x[hvd.rank()::hvd.size()]
        tf.set_random_seed(hvd.rank())
        w = tf.get_variable("w", [1, 1])
        loss = tf.reduce_mean(tf.square(tf.matmul(tf.constant(mine), w) - 3 * mine + 1))
        opt = hvd.DistributedOptimizer(tf.train.GradientDescentOptimizer(0.1))
        train = opt.minimize(loss, global_step=tf.train.get_or_create_global_step())
        hooks = [hvd.BroadcastGlobalVariablesHook(0), tf.train.StopAtStepHook(last_step=5)]
        mean = hvd.allreduce(tf.constant(float(hvd.rank())), name="mean")
        with tf.train.MonitoredTrainingSession(hooks=hooks) as sess:
            print("mean", sess.run_step_fn(lambda step_context: step_context.session.run(mean)))
            while not sess.should_stop():
                value, _ = sess.run([w, train])
            print("w %.6f" % value[0, 0])
        print("rows", tf.Session().run(hvd.allgather(tf.constant([hvd.rank()]), name="rows")).tolist())
        """, "-n", "3", "--restarts", "0")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    each = [lines_of(ran.stdout, f"worker {i}") for i in range(3)]
    assert each[0] == each[1] == each[2], ran.stdout
    assert each[0][0] == "mean 1.0" and each[0][2] == "rows [0, 1, 2]"


def test_launch_restarts_what_fails(tmp_path):
    ran = launched(tmp_path, f"""
        import os, sys
        mark = {str(tmp_path / "mark")!r}
        if os.environ["TF_CONFIG"].endswith('"index": 1}}}}') and not os.path.exists(mark):
            open(mark, "w").close()
            sys.exit(7)
        print("done")
        """, "-n", "2")
    assert ran.returncode == 0 and lines_of(ran.stdout, "worker 1") == ["done"], ran.stdout + ran.stderr
    assert "worker 1 ended with status 7: start 2 of 4" in ran.stderr
    failed = launched(tmp_path, "import sys; sys.exit(5)", "-n", "2", "--restarts=0")
    assert failed.returncode == 5
