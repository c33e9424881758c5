"""CheckpointSaverHook with its listeners, SummarySaverHook, FileWriterCache: files, events and log lines."""
import tensorflow as tf

from helpers.hook_runs import directory, drive, events, files, logged, model, refused


def program_saves_at_start_steps_and_end():
    step, weight, loss, train = model()
    path = directory()
    asked = []
    with logged(path) as lines:
        hook = tf.train.CheckpointSaverHook(path, save_steps=2, saver=tf.train.Saver())
        drive([hook], train, 5, asked)
    return dict(lines=lines, asked=asked, files=files(path), events=events(path),
                latest=tf.train.latest_checkpoint(path)[-12:])


def program_does_not_save_the_end_twice():
    step, weight, loss, train = model()
    path = directory()
    with logged(path) as lines:
        drive([tf.train.CheckpointSaverHook(path, save_steps=2, saver=tf.train.Saver())], train, 4)
    return dict(lines=lines, files=files(path))


def program_saves_every_seconds():
    step, weight, loss, train = model()
    path = directory()
    with logged(path) as lines:
        drive([tf.train.CheckpointSaverHook(path, save_secs=1000, saver=tf.train.Saver())], train, 3)
    return dict(lines=lines)


def program_saves_without_steps():
    step, weight, loss, train = model()
    path = directory()
    with logged(path) as lines:
        drive([tf.train.CheckpointSaverHook(path, save_steps=10, saver=tf.train.Saver())], train, 0)
    return dict(lines=lines, files=files(path))


def program_saves_under_another_name():
    step, weight, loss, train = model()
    path = directory()
    with logged(path) as lines:
        drive([tf.train.CheckpointSaverHook(path, save_steps=1, saver=tf.train.Saver(max_to_keep=2),
                                            checkpoint_basename="net")], train, 3)
    return dict(lines=lines, files=files(path))


def program_saver_of_the_collection():
    step, weight, loss, train = model()
    path = directory()
    saver = tf.train.Saver([weight])
    tf.add_to_collection(tf.GraphKeys.SAVERS, saver)
    drive([tf.train.CheckpointSaverHook(path, save_steps=10)], train, 1)
    latest = tf.train.latest_checkpoint(path)
    return dict(variables=tf.train.list_variables(latest))


def program_checkpoints_can_be_restored():
    step, weight, loss, train = model()
    path = directory()
    saver = tf.train.Saver()
    drive([tf.train.CheckpointSaverHook(path, save_steps=2, saver=saver)], train, 3)
    with tf.Session() as session:
        saver.restore(session, tf.train.latest_checkpoint(path))
        found = session.run([weight, step])
    return dict(found=found, variables=tf.train.list_variables(path))


def program_saver_hook_refuses():
    path = directory()
    hook = tf.train.CheckpointSaverHook
    none, both = refused(lambda: hook(path)), refused(lambda: hook(path, save_secs=1, save_steps=1))
    no_step = refused(lambda: hook(path, save_steps=1).begin())
    model()
    saver = tf.train.Saver()
    two = refused(lambda: hook(path, save_steps=1, saver=saver, scaffold="scaffold"))

    def created():
        made = hook(path, save_steps=1)
        made.begin()
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            made.after_create_session(session, None)
    no_saver = refused(created)
    for _ in range(2):
        tf.add_to_collection(tf.GraphKeys.SAVERS, saver)
    two_savers = refused(created)
    tf.summary.FileWriterCache.clear()
    return dict(none=none, both=both, two=two, no_saver=no_saver, two_savers=two_savers, no_step=no_step)


def _listener(calls, stops_at=None):
    class Listener(tf.train.CheckpointSaverListener):
        def begin(self):
            calls.append("begin")

        def before_save(self, session, global_step_value):
            calls.append(f"before_save {global_step_value}")

        def after_save(self, session, global_step_value):
            calls.append(f"after_save {global_step_value} {session.run('weight:0'):g}")
            return global_step_value == stops_at

        def end(self, session, global_step_value):
            calls.append(f"end {global_step_value}")

        def __str__(self):
            return "a listener"
    return Listener()


def program_listeners():
    step, weight, loss, train = model()
    path = directory()
    calls = []
    with logged(path) as lines:
        drive([tf.train.CheckpointSaverHook(path, save_steps=2, saver=tf.train.Saver(),
                                            listeners=[_listener(calls)])], train, 3)
    tf.summary.FileWriterCache.clear()
    return dict(lines=lines, calls=calls)


def program_listener_stops():
    step, weight, loss, train = model()
    path = directory()
    calls = []
    with logged(path) as lines:
        run = drive([tf.train.CheckpointSaverHook(path, save_steps=1, saver=tf.train.Saver(),
                                                  listeners=[_listener(calls, 2), tf.train.CheckpointSaverListener()])],
                    train, 5)
    tf.summary.FileWriterCache.clear()
    return dict(lines=lines, calls=calls, run=run)


def program_listener_at_start_does_not_stop():
    step, weight, loss, train = model()
    path = directory()
    calls = []
    run = drive([tf.train.CheckpointSaverHook(path, save_steps=10, saver=tf.train.Saver(),
                                              listeners=[_listener(calls, 0)])], train, 2)
    tf.summary.FileWriterCache.clear()
    return dict(calls=calls, run=run)


def program_listeners_added_later():
    step, weight, loss, train = model()
    path = directory()
    calls = []
    hook = tf.train.CheckpointSaverHook(path, save_steps=10, saver=tf.train.Saver(), listeners=[_listener([])])
    hook._listeners.append(_listener(calls))
    drive([hook], train, 1)
    tf.summary.FileWriterCache.clear()
    return dict(calls=calls)


def program_listener_raises():
    step, weight, loss, train = model()
    path = directory()

    class Raising(tf.train.CheckpointSaverListener):
        def before_save(self, session, global_step_value):
            raise KeyError("from the listener")
    error = refused(lambda: drive([tf.train.CheckpointSaverHook(path, save_steps=1, saver=tf.train.Saver(),
                                                                listeners=[Raising()])], train, 1))
    tf.summary.FileWriterCache.clear()
    return dict(error=error, files=files(path))


def program_saver_hook_subclass():
    step, weight, loss, train = model()
    path = directory()

    class Best(tf.train.CheckpointSaverHook):
        saved = []

        def _save(self, session, step):
            self.saved.append(int(step))
            return super()._save(session, step) or step == 2
    with logged(path) as lines:
        run = drive([Best(path, save_steps=1, saver=tf.train.Saver())], train, 5)
    tf.summary.FileWriterCache.clear()
    return dict(lines=lines, saved=Best.saved, run=run)


def program_saver_of_the_programs_own():
    step, weight, loss, train = model()
    path = directory()

    class Own(tf.train.Saver):
        calls = []

        def save(self, sess, save_path, global_step=None, **kwargs):
            self.calls.append((save_path.replace(path, "DIR"), int(global_step)))
            return super().save(sess, save_path, global_step=global_step, **kwargs)
    drive([tf.train.CheckpointSaverHook(path, save_steps=2, saver=Own())], train, 3)
    tf.summary.FileWriterCache.clear()
    return dict(calls=str(Own.calls))


def program_graph_files():
    import os
    step, weight, loss, train = model()
    path = directory()
    drive([tf.train.CheckpointSaverHook(path, save_steps=10, saver=tf.train.Saver())], train, 1)
    tf.summary.FileWriterCache.clear()
    graph = tf.GraphDef()
    from google.protobuf import text_format
    with open(os.path.join(path, "graph.pbtxt")) as file:
        text_format.Parse(file.read(), graph)
    return dict(names=[node.name for node in graph.node][:12], shapes=all("_output_shapes" in n.attr for n in graph.node))


def program_summaries_every_steps():
    step, weight, loss, train = model()
    tf.summary.scalar("loss", loss)
    path = directory()
    asked = []
    drive([tf.train.SummarySaverHook(save_steps=2, output_dir=path, summary_op=tf.summary.merge_all())], train, 6, asked)
    return dict(asked=asked, events=events(path), files=files(path))


def program_summaries_in_a_list():
    step, weight, loss, train = model()
    ops = [tf.summary.scalar("loss", loss), tf.summary.scalar("weight", weight)]
    path = directory()
    asked = []
    drive([tf.train.SummarySaverHook(save_steps=3, output_dir=path, summary_op=ops)], train, 4, asked)
    return dict(asked=asked, events=events(path))


def program_summaries_every_seconds():
    step, weight, loss, train = model()
    path = directory()
    drive([tf.train.SummarySaverHook(save_secs=1000, output_dir=path, summary_op=tf.summary.scalar("loss", loss))],
          train, 4)
    return dict(events=events(path))


def program_summaries_with_writer():
    step, weight, loss, train = model()
    path = directory()
    with tf.summary.FileWriter(path) as writer:
        hook = tf.train.SummarySaverHook(save_steps=2, summary_writer=writer, summary_op=tf.summary.scalar("l", loss))
        drive([hook], train, 3)
        same = hook._summary_writer is writer
    return dict(events=events(path), same=same)


def program_summaries_without_writer():
    step, weight, loss, train = model()
    asked = []
    drive([tf.train.SummarySaverHook(save_steps=2, summary_op=tf.summary.scalar("loss", loss))], train, 4, asked)
    return dict(asked=asked)


def program_summaries_continue_from_a_step():
    step, weight, loss, train = model()
    later = tf.assign(step, 100)
    path = directory()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(later)
        drive([tf.train.SummarySaverHook(save_steps=2, output_dir=path, summary_op=tf.summary.scalar("loss", loss))],
              train, 3, session=session)
    return dict(events=events(path))


def program_summaries_for_other_writers():
    step, weight, loss, train = model()

    class Writer:
        calls = []

        def add_summary(self, summary, current_global_step):
            if isinstance(summary, bytes):
                summary = tf.Summary.FromString(summary)
            self.calls.append(f"summary {current_global_step} {summary.value[0].tag}")

        def add_session_log(self, session_log, global_step=None):
            self.calls.append(f"log {global_step} {session_log.status}")

        def flush(self):
            self.calls.append("flush")
    hooks = [tf.train.SummarySaverHook(save_steps=2, summary_writer=Writer(), summary_op=tf.summary.scalar("loss", loss)),
             tf.train.StepCounterHook(every_n_steps=2, summary_writer=Writer())]
    drive(hooks, train, 4)
    return dict(calls=Writer.calls)


def program_summary_hook_refuses():
    hook = tf.train.SummarySaverHook
    op = tf.summary.scalar("one", 1.0)
    return dict(neither=refused(lambda: hook(save_steps=1)), both=refused(lambda: hook(1, scaffold="s", summary_op=op)),
                no_timer=refused(lambda: hook(summary_op=op)), two=refused(lambda: hook(1, 1, summary_op=op)),
                no_step=refused(lambda: hook(1, summary_op=op).begin()))


def program_writers_of_a_directory_are_one():
    step, weight, loss, train = model()
    path = directory()
    cache = tf.summary.FileWriterCache
    first = cache.get(path)
    same = cache.get(path) is first
    hooks = [tf.train.CheckpointSaverHook(path, save_steps=2, saver=tf.train.Saver()),
             tf.train.SummarySaverHook(save_steps=2, output_dir=path, summary_op=tf.summary.scalar("loss", loss)),
             tf.train.StepCounterHook(every_n_steps=2, output_dir=path)]
    drive(hooks, train, 4)
    shared = [hook._summary_writer is first for hook in hooks]
    count = files(path).count("events")
    cache.clear()
    other = cache.get(path) is first
    cache.clear()
    return dict(same=same, shared=shared, other=other, count=count)


def program_events_of_all_hooks():
    step, weight, loss, train = model()
    path = directory()
    hooks = [tf.train.CheckpointSaverHook(path, save_steps=3, saver=tf.train.Saver()),
             tf.train.SummarySaverHook(save_steps=2, output_dir=path, summary_op=tf.summary.scalar("loss", loss)),
             tf.train.StepCounterHook(every_n_steps=2, output_dir=path), tf.train.StopAtStepHook(last_step=5)]
    with logged(path) as lines:
        run = drive(hooks, train, 9)
    return dict(run=run, lines=lines, events=events(path), files=files(path))
