"""Timers, LoggingTensorHook, StepCounterHook, NanTensorHook: when they work and what they log."""
import tensorflow as tf

from helpers.hook_runs import counting, directory, drive, events, form, logged, model, refused


def program_timer_of_steps():
    timer = tf.train.SecondOrStepTimer(every_steps=3)
    found = [timer.last_triggered_step()]
    for step in range(8):
        triggers = timer.should_trigger_for_step(step)
        found.append((step, triggers))
        if triggers:
            elapsed_secs, elapsed_steps = timer.update_last_triggered_step(step)
            found.append((elapsed_secs is None, -1 if elapsed_steps is None else elapsed_steps, timer.last_triggered_step()))
    timer.reset()
    return dict(found=str(found), again=timer.should_trigger_for_step(7), last=str(timer.last_triggered_step()))


def program_timer_of_seconds():
    timer = tf.train.SecondOrStepTimer(every_secs=1000.0)
    first = timer.should_trigger_for_step(0)
    timer.update_last_triggered_step(0)
    short = tf.train.SecondOrStepTimer(every_secs=0.0)
    short.update_last_triggered_step(5)
    return dict(first=first, second=timer.should_trigger_for_step(100), same=short.should_trigger_for_step(5),
                other=short.should_trigger_for_step(4))


def program_timer_refuses():
    return dict(neither=refused(lambda: tf.train.SecondOrStepTimer()),
                both=refused(lambda: tf.train.SecondOrStepTimer(every_secs=1, every_steps=1)))


def program_logs_dict_in_order_of_tags():
    step, weight, loss, train = model()
    asked = []
    with logged() as lines:
        drive([tf.train.LoggingTensorHook({"step": "step_now", "loss": loss, "a": "weight_now:0"}, every_n_iter=2)], train, 5, asked)
    return dict(lines=lines, asked=asked)


def program_logs_list():
    step, weight, loss, train = model()
    asked = []
    with logged() as lines:
        drive([tf.train.LoggingTensorHook(["loss", "step_now:0"], every_n_iter=1)], train, 2, asked)
    return dict(lines=lines, asked=asked)


def program_logs_tensors_themselves():
    step, weight, loss, train = model()
    vector = tf.stack([loss, loss * 1e-6], name="vector")
    with logged() as lines:
        drive([tf.train.LoggingTensorHook([loss, vector], every_n_iter=2)], train, 1)
    return dict(lines=lines)


def program_logs_arrays():
    step, weight, loss, train = model()
    tensors = dict(matrix=tf.constant([[1.5, 2.0], [1e-7, 3e5]]), ints=tf.range(3), texts=tf.constant(["a", "b"]),
                   text=tf.constant("c"), flag=tf.constant(True), double=tf.constant(0.1, tf.float64),
                   small=tf.constant(1e-5))
    with logged() as lines:
        drive([tf.train.LoggingTensorHook(tensors, every_n_iter=1)], train, 1)
    return dict(lines=lines)


def program_logs_with_formatter():
    step, weight, loss, train = model()

    def formatter(values):
        return "|".join(f"{key}:{value:.3f}" for key, value in sorted(values.items()))
    with logged() as lines:
        drive([tf.train.LoggingTensorHook({"l": loss, "w": "weight_now"}, every_n_iter=2, formatter=formatter)], train, 3)
    return dict(lines=lines)


def program_formatter_gets_tensors_as_keys():
    step, weight, loss, train = model()
    keys = []

    def formatter(values):
        keys.append([key.name for key in values])
        return "seen"
    with logged() as lines:
        drive([tf.train.LoggingTensorHook([loss], every_n_iter=1, formatter=formatter)], train, 1)
    return dict(lines=lines, keys=keys)


def program_logs_only_at_end():
    step, weight, loss, train = model()
    asked = []
    with logged() as lines:
        drive([tf.train.LoggingTensorHook({"loss": loss}, at_end=True)], train, 3, asked)
    return dict(lines=lines, asked=asked)


def program_logs_at_end_besides():
    step, weight, loss, train = model()
    with logged() as lines:
        drive([tf.train.LoggingTensorHook({"loss": loss}, every_n_iter=2, at_end=True)], train, 3)
    return dict(lines=lines)


def program_logs_every_seconds():
    step, weight, loss, train = model()
    asked = []
    with logged() as lines:
        drive([tf.train.LoggingTensorHook({"loss": loss}, every_n_secs=1000)], train, 3, asked)
    return dict(lines=lines, asked=asked)


def program_logging_begins_anew():
    step, weight, loss, train = model()
    hook = tf.train.LoggingTensorHook({"loss": loss}, every_n_iter=3)
    asked = []
    with logged() as lines:
        drive([hook], train, 2, asked)
        drive([hook], train, 2, asked)
    return dict(lines=lines, asked=asked)


def program_logging_refuses():
    _, _, loss, _ = model()
    hook = tf.train.LoggingTensorHook
    with tf.Graph().as_default():
        other = tf.constant(1.0)
    several = tf.split(tf.range(4), 2, name="several")
    begin = lambda tensors: refused(lambda: hook(tensors, every_n_iter=1).begin())
    return dict(none=refused(lambda: hook({"loss": loss})),
                both=refused(lambda: hook({"loss": loss}, every_n_iter=1, every_n_secs=1)),
                zero=refused(lambda: hook({"loss": loss}, every_n_iter=0)),
                missing=begin(["no_such:0"]).split(":")[0], missing_op=begin(["no_such"]).split(":")[0],
                ambiguous=begin(["several"]), other=begin([other]).split(" should")[0], number=begin({"x": 1})[:20],
                count=len(several))


def program_logging_subclass():
    step, weight, loss, train = model()

    class Collecting(tf.train.LoggingTensorHook):
        seen = []

        def _log_tensors(self, tensor_values):
            self.seen.append(sorted((key, float(value)) for key, value in tensor_values.items()))
            self._timer.update_last_triggered_step(self._iter_count)
    with logged() as lines:
        drive([Collecting({"loss": loss}, every_n_iter=2)], train, 5)
    return dict(seen=Collecting.seen, lines=lines)


def program_logging_subclass_that_counts_itself():
    step, weight, loss, train = model()

    class Counting(tf.train.LoggingTensorHook):
        found = []

        def begin(self):
            super().begin()
            self.found.append(("begun", self._iter_count, sorted(self._current_tensors), self._tag_order))

        def after_run(self, run_context, run_values):
            if self._should_trigger:
                self.found.append(("seen", self._iter_count, float(run_values.results["loss"])))
                self._timer.update_last_triggered_step(self._iter_count)
            self._iter_count += 1
    drive([Counting({"loss": loss}, every_n_iter=2)], train, 4)
    return dict(found=str(Counting.found))


def program_step_counter_logs():
    step, weight, loss, train = model()
    asked = []
    with logged() as lines:
        drive([tf.train.StepCounterHook(every_n_steps=2)], train, 6, asked)
    return dict(lines=lines, asked=asked)


def program_step_counter_writes():
    step, weight, loss, train = model()
    path = directory()
    hook = tf.train.StepCounterHook(every_n_steps=2, output_dir=path)
    with logged() as lines:
        drive([hook], train, 6)
    return dict(lines=lines, tag=hook._summary_tag, events=events(path))


def program_step_counter_with_writer():
    step, weight, loss, train = model()
    path = directory()
    with tf.summary.FileWriter(path) as writer:
        drive([tf.train.StepCounterHook(every_n_steps=3, summary_writer=writer)], train, 7)
    return dict(events=events(path))


def program_step_counter_of_seconds():
    step, weight, loss, train = model()
    with logged() as lines:
        drive([tf.train.StepCounterHook(every_n_steps=None, every_n_secs=1000)], train, 4)
    return dict(lines=lines)


def program_step_counter_subclass():
    step, weight, loss, train = model()

    class Counter(tf.train.StepCounterHook):
        found = []

        def _log_and_record(self, elapsed_steps, elapsed_time, global_step):
            self.found.append((int(elapsed_steps), elapsed_time > 0, int(global_step)))
    drive([Counter(every_n_steps=2)], train, 6)
    return dict(found=str(Counter.found))


def program_step_counter_steps_per_run():
    step, weight, loss, train = model()
    three = counting(step, 3)
    hook = tf.train.StepCounterHook(every_n_steps=4)
    hook._set_steps_per_run(3)
    with logged() as lines:
        drive([hook], three, 6)
    return dict(lines=lines)


def program_step_counter_refuses():
    none = refused(lambda: tf.train.StepCounterHook().begin())
    return dict(none=none, both=refused(lambda: tf.train.StepCounterHook(every_n_secs=1)),
                neither=refused(lambda: tf.train.StepCounterHook(every_n_steps=None)))


def program_nan_fails():
    step, weight, loss, train = model()
    hook = tf.train.NanTensorHook(loss)
    bad = tf.assign(weight, float("nan"))
    asked = []
    with logged() as lines:
        fine = drive([hook], train, 2, asked)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(bad)
            error = refused(lambda: drive([hook], train, 1, session=session))
    return dict(lines=lines, fine=fine, error=error, asked=asked,
                is_runtime_error=issubclass(tf.train.NanLossDuringTrainingError, RuntimeError))


def program_nan_stops():
    step, weight, loss, train = model()
    bad = tf.assign(weight, float("nan"))
    nan = bad * bad
    with logged() as lines:
        run = drive([tf.train.NanTensorHook(nan, fail_on_nan_loss=False)], train, 5)
    return dict(lines=lines, run=run)


def program_nan_by_name():
    step, weight, loss, train = model()
    asked = []
    run = drive([tf.train.NanTensorHook("loss:0")], train, 2, asked)
    return dict(run=run, asked=asked)


def program_forms():
    step, weight, loss, train = model()
    hook = tf.train.LoggingTensorHook([loss, weight], every_n_iter=1)
    hook.begin()
    with tf.Session() as session:
        args = hook.before_run(tf.train.SessionRunContext(None, session))
    return dict(form=form(args.fetches), feeds=str(args.feed_dict), options=str(args.options))
