"""Hooks that stop, wait, feed and run something at the end."""
import tensorflow as tf

from helpers.hook_runs import counting, directory, drive, events, files, form, logged, model, refused


def program_stop_after_steps():
    step, weight, loss, train = model()
    asked = []
    hook = tf.train.StopAtStepHook(num_steps=3)
    run = drive([hook], train, 10, asked)
    return dict(run=run, asked=asked, last=hook._last_step)


def program_stop_at_step():
    step, weight, loss, train = model()
    later = tf.assign(step, 5)
    hook = tf.train.StopAtStepHook(last_step=7)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(later)
        run = drive([hook], train, 10, session=session)
    return dict(run=run)


def program_stop_counts_from_the_session():
    step, weight, loss, train = model()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        first = drive([tf.train.StopAtStepHook(num_steps=2)], train, 10, session=session)
        second = drive([tf.train.StopAtStepHook(num_steps=3)], train, 10, session=session)
        reached = session.run(step)
    return dict(first=first, second=second, reached=reached)


def program_stop_at_step_that_is_over():
    step, weight, loss, train = model()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        drive([tf.train.StopAtStepHook(num_steps=4)], train, 10, session=session)
        run = drive([tf.train.StopAtStepHook(last_step=2)], train, 10, session=session)
    return dict(run=run)


def program_stop_where_steps_do_not_count():
    step, weight, loss, train = model()
    idle = tf.identity(loss)
    run = drive([tf.train.StopAtStepHook(last_step=1)], idle, 4)
    return dict(run=run)


def program_stop_refuses():
    hook = tf.train.StopAtStepHook
    return dict(neither=refused(lambda: hook()), both=refused(lambda: hook(1, 2)),
                no_step=refused(lambda: hook(num_steps=1).begin()))


def program_step_of_references():
    step = tf.Variable(3, name="global_step", trainable=False)
    tf.add_to_collection(tf.GraphKeys.GLOBAL_STEP, step)
    run = drive([tf.train.StopAtStepHook(num_steps=2)], counting(step), 5)
    return dict(run=run, read=[t.name for t in tf.get_collection("global_step_read_op_cache")])


def program_read_of_the_step_is_shared():
    model()
    first, second = tf.train.StopAtStepHook(num_steps=2), tf.train.StepCounterHook()
    first.begin()
    second.begin()
    return dict(same=first._global_step_tensor is second._global_step_tensor, name=first._global_step_tensor.name)


def program_read_of_the_step_inside_scopes():
    step, weight, loss, train = model()
    with tf.name_scope("outer"), tf.control_dependencies([loss]):
        hook = tf.train.StopAtStepHook(num_steps=2)
        hook.begin()
    return dict(name=hook._global_step_tensor.name)


def program_resource_step():
    with tf.variable_scope("", use_resource=True):
        step = tf.train.get_or_create_global_step()
    run = drive([tf.train.StopAtStepHook(num_steps=2), tf.train.StepCounterHook(every_n_steps=1)],
                counting(step), 5)
    return dict(run=run)


def program_waiter_does_not_wait():
    step, weight, loss, train = model()
    asked = []
    with logged() as lines:
        run = drive([tf.train.GlobalStepWaiterHook(0)], train, 2, asked)
    return dict(run=run, lines=lines, asked=asked)


def program_waiter_waits_until_the_step():
    step, weight, loss, train = model()
    later = tf.assign(step, 12)
    with logged() as lines, tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(later)
        run = drive([tf.train.GlobalStepWaiterHook(10)], train, 2, session=session)
    return dict(run=run, lines=lines)


def program_waiter_refuses():
    return dict(no_step=refused(lambda: tf.train.GlobalStepWaiterHook(3).begin()))


def program_feed_fn():
    x = tf.placeholder(tf.float32, [], name="x")
    y = x * 2
    numbers = iter([1.0, 2.0, 3.0])
    hook = tf.train.FeedFnHook(lambda: {x: next(numbers)})
    hook.begin()
    found = []
    with tf.Session() as session:
        for _ in range(3):
            args = hook.before_run(tf.train.SessionRunContext(tf.train.SessionRunArgs(y), session))
            found.append(session.run(y, args.feed_dict))
            fetches = args.fetches
    return dict(found=found, fetches=str(fetches))


def program_final_ops():
    step, weight, loss, train = model()
    found = []
    for ops in (weight, [weight, step], {"w": weight, "s": {"step": step}}):
        hook = tf.train.FinalOpsHook(ops)
        before = str(hook.final_ops_values)
        drive([hook], train, 2)
        found += [before, str(hook.final_ops_values)]
    return dict(found=found)


def program_final_ops_with_feeds():
    step, weight, loss, train = model()
    x = tf.placeholder(tf.float32, [])
    hook = tf.train.FinalOpsHook(weight + x, {x: 10.0})
    drive([hook], train, 1)
    nothing = tf.train.FinalOpsHook(None)
    drive([nothing], train, 1)
    return dict(value=hook.final_ops_values, nothing=str(nothing.final_ops_values))


def program_final_ops_at_the_end_of_input():
    step, weight, loss, train = model()
    queue = tf.FIFOQueue(1, tf.float32)
    with tf.control_dependencies([queue.close()]):
        element = queue.dequeue()
    with logged() as lines:
        error = refused(lambda: drive([tf.train.FinalOpsHook(element)], train, 1)).split(":")[0]
    return dict(error=error, lines=[line[:90] for line in lines])


def program_profiler():
    step, weight, loss, train = model()
    path = directory()
    asked = []
    with logged(path) as lines:
        drive([tf.train.ProfilerHook(save_steps=2, output_dir=path)], train, 6, asked)
    return dict(lines=lines, files=files(path), asked=asked, events=events(path))


def program_profiler_traces():
    import json
    import os
    step, weight, loss, train = model()
    path = directory()
    drive([tf.train.ProfilerHook(save_steps=2, output_dir=path, show_memory=True)], train, 4)
    tf.summary.FileWriterCache.clear()
    found = {}
    for name in files(path):
        if name.startswith("timeline"):
            with open(os.path.join(path, name)) as file:
                trace = json.load(file)["traceEvents"]
            ops = {event["args"]["op"] for event in trace if event["ph"] == "X"}
            found[name] = ("ApplyGradientDescent" in ops, {"M", "X", "N", "D", "C"} <= {event["ph"] for event in trace})
    return dict(found=str(sorted(found.items())))


def program_profiler_refuses():
    path = directory()
    refusal = refused(lambda: tf.train.ProfilerHook(output_dir=path))
    no_step = refused(lambda: tf.train.ProfilerHook(save_steps=1, output_dir=path).begin())
    tf.summary.FileWriterCache.clear()
    return dict(refusal=refusal, no_step=no_step)


def program_several_hooks_stop_together():
    step, weight, loss, train = model()

    class Stopping(tf.train.SessionRunHook):
        calls = []

        def begin(self):
            self.calls.append("begin")

        def after_create_session(self, session, coord):
            self.calls.append("after_create_session")

        def before_run(self, run_context):
            self.calls.append("before_run")
            return tf.train.SessionRunArgs({"l": loss, "s": ["step_now:0"]})

        def after_run(self, run_context, run_values):
            self.calls.append(f"after_run {run_values.results['l']:g}")
            if run_values.results["l"] < 5:
                run_context.request_stop()

        def end(self, session):
            self.calls.append("end")
    asked = []
    run = drive([Stopping(), tf.train.StopAtStepHook(num_steps=9), tf.train.NanTensorHook(loss)], train, 20, asked)
    return dict(run=run, calls=Stopping.calls, asked=asked)


def program_hooks_extended_by_programs():
    step, weight, loss, train = model()

    class Louder(tf.train.StopAtStepHook):
        found = []

        def before_run(self, run_context):
            args = super().before_run(run_context)
            self.found.append(form(args.fetches))
            return args

        def after_run(self, run_context, run_values):
            self.found.append(int(run_values.results))
            super().after_run(run_context, run_values)
    run = drive([Louder(num_steps=2)], train, 5)
    return dict(run=run, found=str(Louder.found))
