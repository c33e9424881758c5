"""Hooks inside of monitored sessions: their order, what they stop, write and log."""
import tensorflow as tf

from helpers.hook_runs import counting, directory, events, files, logged, model, refused


def program_stops_a_loop():
    step, weight, loss, train = model()
    losses = []
    with tf.train.MonitoredSession(hooks=[tf.train.StopAtStepHook(last_step=3)]) as session:
        while not session.should_stop():
            losses.append(session.run([train, loss])[1])
    return dict(losses=losses)


def program_training_session():
    step, weight, loss, train = model()
    tf.summary.scalar("l", loss)
    path = directory()
    with logged(path) as lines:
        with tf.train.MonitoredTrainingSession(
                checkpoint_dir=path, save_checkpoint_steps=2, save_summaries_steps=2, log_step_count_steps=2,
                hooks=[tf.train.StopAtStepHook(num_steps=5), tf.train.LoggingTensorHook({"loss": loss}, every_n_iter=2)],
        ) as session:
            while not session.should_stop():
                session.run(train)
    lines = [line for line in lines if "listener" not in line]
    return dict(lines=lines, files=files(path), events=events(path), latest=tf.train.latest_checkpoint(path)[-12:])


def program_training_continues():
    path = directory()
    found = []
    for _ in range(2):
        with tf.Graph().as_default():
            step, weight, loss, train = model()
            hooks = [tf.train.StopAtStepHook(num_steps=2)]
            with tf.train.MonitoredTrainingSession(checkpoint_dir=path, hooks=hooks, save_summaries_steps=0,
                                                   log_step_count_steps=0) as session:
                while not session.should_stop():
                    found.append(session.run([loss, train])[0])
            tf.summary.FileWriterCache.clear()
    return dict(found=found, files=files(path))


def program_nan_ends_the_session():
    step, weight, loss, train = model()
    nan = loss * float("nan")
    ended = []

    class Ending(tf.train.SessionRunHook):
        def end(self, session):
            ended.append("end")

    def train_it():
        with tf.train.MonitoredSession(hooks=[tf.train.NanTensorHook(nan), Ending()]) as session:
            while not session.should_stop():
                session.run(train)
    with logged() as lines:
        error = refused(train_it)
    return dict(error=error, ended=ended, lines=[line for line in lines if "NaN" in line])


def program_nan_stops_the_session():
    step, weight, loss, train = model()
    nan = loss * float("nan")
    run = 0
    with logged() as lines:
        with tf.train.MonitoredSession(hooks=[tf.train.NanTensorHook(nan, fail_on_nan_loss=False)]) as session:
            while not session.should_stop():
                session.run(train)
                run += 1
    return dict(run=run, lines=[line for line in lines if "NaN" in line])


def program_feeds_of_a_hook():
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.multiply(x, 2.0, name="y")
    numbers = iter([1.0, 2.0, 3.0])
    with tf.train.MonitoredSession(hooks=[tf.train.FeedFnHook(lambda: {x: next(numbers)})]) as session:
        found = [session.run(y) for _ in range(3)]
    return dict(found=found)


def program_final_ops_of_a_session():
    step, weight, loss, train = model()
    hook = tf.train.FinalOpsHook({"weight": weight, "step": step})
    with tf.train.MonitoredSession(hooks=[hook, tf.train.StopAtStepHook(last_step=2)]) as session:
        while not session.should_stop():
            session.run(train)
    return dict(values=str(sorted(hook.final_ops_values.items())))


def program_logs_in_a_session():
    step, weight, loss, train = model()
    hooks = [tf.train.LoggingTensorHook({"loss": loss, "step": "step_now"}, every_n_iter=2, at_end=True),
             tf.train.StopAtStepHook(last_step=4)]
    with logged() as lines:
        with tf.train.MonitoredSession(hooks=hooks) as session:
            while not session.should_stop():
                session.run(train)
    return dict(lines=[line for line in lines if "loss" in line])


def program_summaries_of_a_scaffold():
    step, weight, loss, train = model()
    tf.summary.scalar("l", loss)
    path = directory()
    scaffold = tf.train.Scaffold()
    hooks = [tf.train.SummarySaverHook(save_steps=2, output_dir=path, scaffold=scaffold),
             tf.train.StopAtStepHook(last_step=3)]
    with tf.train.MonitoredSession(tf.train.ChiefSessionCreator(scaffold), hooks=hooks) as session:
        while not session.should_stop():
            session.run(train)
    return dict(events=events(path))


def program_checkpoints_of_a_scaffold():
    step, weight, loss, train = model()
    path = directory()
    scaffold = tf.train.Scaffold(saver=tf.train.Saver(max_to_keep=1))
    calls = []

    class Listener(tf.train.CheckpointSaverListener):
        def after_save(self, session, global_step_value):
            calls.append(int(global_step_value))
    hooks = [tf.train.CheckpointSaverHook(path, save_steps=2, scaffold=scaffold, listeners=[Listener()]),
             tf.train.StopAtStepHook(last_step=5)]
    with tf.train.MonitoredSession(tf.train.ChiefSessionCreator(scaffold), hooks=hooks) as session:
        while not session.should_stop():
            session.run(train)
    tf.summary.FileWriterCache.clear()
    return dict(calls=calls, files=files(path))


def program_listener_stops_the_session():
    step, weight, loss, train = model()
    path = directory()

    class Listener(tf.train.CheckpointSaverListener):
        def after_save(self, session, global_step_value):
            return global_step_value >= 4
    hook = tf.train.CheckpointSaverHook(path, save_steps=2, saver=tf.train.Saver(), listeners=[Listener()])
    run = 0
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        while not session.should_stop():
            session.run(train)
            run += 1
    tf.summary.FileWriterCache.clear()
    return dict(run=run)


def program_hooks_in_order():
    step, weight, loss, train = model()
    calls = []

    class Noting(tf.train.SessionRunHook):
        def __init__(self, name):
            self.name = name

        def begin(self):
            calls.append(self.name + " begin")

        def after_create_session(self, session, coord):
            calls.append(self.name + " create")

        def before_run(self, run_context):
            calls.append(self.name + " before")

        def after_run(self, run_context, run_values):
            calls.append(f"{self.name} after {run_values.results}")

        def end(self, session):
            calls.append(self.name + " end")
    with tf.train.MonitoredSession(hooks=[Noting("a"), tf.train.StopAtStepHook(last_step=1), Noting("b")]) as session:
        while not session.should_stop():
            session.run(train)
    return dict(calls=calls)


def program_profiles_a_session():
    step, weight, loss, train = model()
    path = directory()
    with logged(path) as lines:
        hooks = [tf.train.ProfilerHook(save_steps=2, output_dir=path), tf.train.StopAtStepHook(last_step=5)]
        with tf.train.MonitoredSession(hooks=hooks) as session:
            while not session.should_stop():
                session.run(train)
    return dict(lines=[line for line in lines if "timeline" in line], files=files(path), events=events(path))


def program_extended_hooks_in_a_session():
    step, weight, loss, train = model()

    class Slower(tf.train.StopAtStepHook):
        found = []

        def before_run(self, run_context):
            self.found.append(run_context.original_args.fetches is train)
            return super().before_run(run_context)

        def after_run(self, run_context, run_values):
            self.found.append(int(run_values.results))
            super().after_run(run_context, run_values)
    with tf.train.MonitoredSession(hooks=[Slower(last_step=2)]) as session:
        while not session.should_stop():
            session.run(train)
    return dict(found=str(Slower.found))


def program_hook_that_asks_and_feeds():
    step = tf.train.get_or_create_global_step()
    x = tf.placeholder_with_default(1.0, [], name="x")
    y = tf.multiply(x, 3.0, name="y")
    add = counting(step)

    class Asking(tf.train.SessionRunHook):
        found = []

        def before_run(self, run_context):
            return tf.train.SessionRunArgs({"y": y, "x": [x]}, feed_dict={x: 5.0})

        def after_run(self, run_context, run_values):
            self.found.append((float(run_values.results["y"]), float(run_values.results["x"][0])))
    with tf.train.MonitoredSession(hooks=[Asking(), tf.train.StopAtStepHook(num_steps=1)]) as session:
        values = session.run([add, y])
    return dict(found=Asking.found, y=values[1])


def program_sync_replicas_hook():
    w = tf.Variable([1.0, 2.0], name="w")
    step = tf.train.get_or_create_global_step()
    loss = tf.reduce_sum(w * w)
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.25), 1)
    train = optimizer.minimize(loss, global_step=step)
    hook = optimizer.make_session_run_hook(is_chief=True)
    with tf.train.MonitoredSession(hooks=[hook], stop_grace_period_secs=0.1) as session:
        for _ in range(3):
            session.run(train)
    early = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.25), 1).make_session_run_hook(True)
    return dict(error=refused(early.begin))


def program_sync_replicas_hook_needs_variables():
    w = tf.Variable([1.0, 2.0], name="w")
    step = tf.train.get_or_create_global_step()
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.25), 1)
    optimizer.minimize(tf.reduce_sum(w * w), global_step=step)
    hook = optimizer.make_session_run_hook(is_chief=False)
    hook.begin()
    with tf.Session() as session:
        error = refused(lambda: hook.after_create_session(session, tf.train.Coordinator()))
    return dict(error=error.split(", error:")[0])
