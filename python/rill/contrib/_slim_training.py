"""slim.learning.train: the loop around a training operation."""

import os
import time

from rill import _rill

_USE_DEFAULT = 0


def train_step(sess, train_op, global_step, train_step_kwargs):
    """One step: the loss, and whether to stop."""
    start = time.time()
    total_loss, step = sess.run([train_op, global_step])
    if train_step_kwargs.get("should_log", lambda step: False)(step):
        from rill import logging
        logging.info("global step %d: loss = %.4f (%.3f sec/step)", step, total_loss,
                     time.time() - start)
    return total_loss, train_step_kwargs.get("should_stop", lambda step: False)(step)


class _Files:
    """What a training leaves in its directory: checkpoints and summaries."""

    def __init__(self, logdir, saver, save_secs, summary_op, summary_secs, writer):
        from rill import summary, train
        self._prefix = None if logdir is None else os.path.join(logdir, "model.ckpt")
        self._saver = saver if saver is not None or logdir is None else train.Saver()
        self._save_secs, self._summary_secs = save_secs, summary_secs
        self._saved = self._summarized = time.time()
        self._summary_op = summary.merge_all() if summary_op is _USE_DEFAULT else summary_op
        self._writer = writer
        if writer is _USE_DEFAULT:
            self._writer = None if logdir is None else summary.FileWriter(
                logdir, _rill.get_default_graph())

    def restore(self, session):
        from rill import train
        latest = None if self._prefix is None else train.latest_checkpoint(os.path.dirname(self._prefix))
        if latest is not None:
            self._saver.restore(session, latest)

    def save(self, session, step):
        if self._prefix is not None:
            self._saver.save(session, self._prefix, global_step=step)
            self._saved = time.time()

    def _summarize(self, session, step):
        if self._writer is not None and self._summary_op is not None:
            self._writer.add_summary(session.run(self._summary_op), step)
            self._summarized = time.time()

    def after_step(self, session, step):
        now = time.time()
        if self._save_secs is not None and now - self._saved >= self._save_secs:
            self.save(session, step)
        if self._summary_secs and now - self._summarized >= self._summary_secs:
            self._summarize(session, step)

    def close(self, session, step):
        self.save(session, step)
        if self._writer is not None:
            self._writer.flush()


def _initialize(session, init_op, init_feed_dict, local_init_op, init_fn, files):
    from rill import global_variables_initializer, local_variables_initializer, tables_initializer
    if init_op is _USE_DEFAULT:
        init_op = global_variables_initializer()
    if local_init_op is _USE_DEFAULT:
        local_init_op = [local_variables_initializer(), tables_initializer()]
    for operation in (init_op, local_init_op):
        if operation is not None:
            session.run(operation, init_feed_dict)
    if init_fn is not None:
        init_fn(session)
    files.restore(session)


def train(train_op, logdir, train_step_fn=train_step, train_step_kwargs=_USE_DEFAULT,
          log_every_n_steps=1, graph=None, master="", is_chief=True, global_step=None,
          number_of_steps=None, init_op=_USE_DEFAULT, init_feed_dict=None,
          local_init_op=_USE_DEFAULT, init_fn=None, ready_op=_USE_DEFAULT, summary_op=_USE_DEFAULT,
          save_summaries_secs=600, summary_writer=_USE_DEFAULT, startup_delay_steps=0, saver=None,
          save_interval_secs=600, sync_optimizer=None, session_config=None, session_wrapper=None,
          trace_every_n_steps=None, ignore_live_threads=False):
    """Runs the training operation until enough steps are done; the last loss."""
    from rill import train as training
    if train_op is None:
        raise ValueError("train_op cannot be None.")
    if number_of_steps is not None and number_of_steps <= 0:
        raise ValueError("`number_of_steps` must be either None or a positive number.")
    for name, value in (("master", master), ("sync_optimizer", sync_optimizer),
                        ("trace_every_n_steps", trace_every_n_steps)):
        if value:
            raise NotImplementedError(f"slim.learning.train's argument {name} is not supported")
    with (graph or _rill.get_default_graph()).as_default():
        step = training.get_or_create_global_step() if global_step is None else global_step
        if train_step_kwargs is _USE_DEFAULT:
            train_step_kwargs = {
                "should_log": lambda done: log_every_n_steps and done % log_every_n_steps == 0,
                "should_stop": lambda done: number_of_steps is not None and done >= number_of_steps}
        files = _Files(logdir, saver, save_interval_secs, summary_op, save_summaries_secs,
                       summary_writer)
        if logdir:
            training.write_graph(_rill.get_default_graph().as_graph_def(add_shapes=True), logdir, "graph.pbtxt")
        session = _rill.Session(config=session_config)
        session = session if session_wrapper is None else session_wrapper(session)
        with session:
            _initialize(session, init_op, init_feed_dict, local_init_op, init_fn, files)
            coordinator = training.Coordinator()
            threads = training.start_queue_runners(session, coord=coordinator)
            total_loss, stop = None, False
            while not stop and not coordinator.should_stop():
                total_loss, stop = train_step_fn(session, train_op, step, train_step_kwargs)
                files.after_step(session, session.run(step))
            files.close(session, session.run(step))
            coordinator.request_stop()
            coordinator.join(threads, ignore_live_threads=ignore_live_threads)
    return total_loss
