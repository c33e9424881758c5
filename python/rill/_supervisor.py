"""tf.train.Supervisor: sessions by role, with checkpoints and summaries saved by threads."""

import contextlib
import os

from rill import _rill, errors, logging
from rill._coordinator import Coordinator, LooperThread
from rill._file_writer import FileWriter
from rill._saver import Saver
from rill._session_manager import SessionManager

_SAVERS = _rill.graph_keys.SAVERS


def first_saver():
    """The first Saver of the graph's collection, else a new one, which is put there."""
    graph = _rill.get_default_graph()
    savers = graph.get_collection(_SAVERS)
    if len(savers) > 1:
        logging.info("Found %d %s operations. Returning the first one.", len(savers), _SAVERS)
    if savers:
        return savers[0]
    if not graph.get_collection(_rill.graph_keys.GLOBAL_VARIABLES):
        return None
    saver = Saver()
    graph.add_to_collection(_SAVERS, saver)
    return saver


class _ServiceThread(LooperThread):
    """One of the things that the chief does beside the training."""

    service = ""

    def __init__(self, sv, sess):
        super().__init__(sv.coord, sv.save_model_secs if self.service == "checkpoints" else sv.save_summaries_secs)
        self._sv, self._sess, self._last = sv, sess, None

    def run_loop(self):
        self._last = self._sv._core.do_round(self.service, self._sess, self._last)


class SVSummaryThread(_ServiceThread):
    """Writes summaries."""

    service = "summaries"


class SVStepCounterThread(_ServiceThread):
    """Writes how many steps there are in a second."""

    service = "step_counter"

    def __init__(self, sv, sess, step_counter=None):
        if step_counter is not None and step_counter is not sv.global_step:
            raise NotImplementedError("SVStepCounterThread(step_counter=...) of another tensor than the supervisor's")
        super().__init__(sv, sess)

    def start_loop(self):
        self.run_loop()  # what is counted from


class SVTimerCheckpointThread(_ServiceThread):
    """Saves checkpoints."""

    service = "checkpoints"


_THREADS = {kind.service: kind for kind in (SVSummaryThread, SVStepCounterThread, SVTimerCheckpointThread)}


class Supervisor:
    """Opens sessions as a task's role demands, and saves checkpoints and summaries meanwhile."""

    USE_DEFAULT = 0

    def __init__(self, graph=None, ready_op=USE_DEFAULT, ready_for_local_init_op=USE_DEFAULT, is_chief=True,
                 init_op=USE_DEFAULT, init_feed_dict=None, local_init_op=USE_DEFAULT, logdir=None,
                 summary_op=USE_DEFAULT, saver=USE_DEFAULT, global_step=USE_DEFAULT,
                 save_summaries_secs=120, save_model_secs=600, recovery_wait_secs=30, stop_grace_secs=120,
                 checkpoint_basename="model.ckpt", session_manager=None,
                 summary_writer=USE_DEFAULT, init_fn=None, local_init_run_options=None):
        if _rill.executing_eagerly():
            raise RuntimeError("Supervisors are incompatible with eager execution.")
        graph = graph or _rill.get_default_graph()
        logdir = None if logdir is None or not is_chief else os.fspath(logdir)
        self._graph, self._is_chief, self._coord = graph, is_chief, Coordinator()
        self._logdir, self._init_feed_dict, self._init_fn = logdir, init_feed_dict, init_fn
        self._save_summaries_secs = save_summaries_secs if is_chief else None
        self._save_model_secs = save_model_secs if is_chief else None
        self._save_path = os.path.join(logdir, checkpoint_basename) if logdir else None
        self._stop_grace_secs, self._summary_writer = stop_grace_secs, None
        if is_chief:
            self._summary_writer = summary_writer
            if summary_writer is Supervisor.USE_DEFAULT:
                self._summary_writer = FileWriter(logdir) if logdir else None
        with graph.as_default():
            self._core = _rill.SupervisorCore(dict(
                graph=graph, ready_op=ready_op, ready_for_local_init_op=ready_for_local_init_op,
                is_chief=is_chief, init_op=init_op, init_feed_dict=init_feed_dict,
                local_init_op=local_init_op, logdir=logdir, summary_op=summary_op, saver=saver,
                global_step=global_step, save_summaries_secs=self._save_summaries_secs,
                save_model_secs=self._save_model_secs, recovery_wait_secs=recovery_wait_secs,
                stop_grace_secs=stop_grace_secs, checkpoint_basename=checkpoint_basename,
                summary_writer=self._summary_writer, init_fn=init_fn,
                local_init_run_options=local_init_run_options), self._coord)
        self._saver = saver
        if saver is Supervisor.USE_DEFAULT:
            self._saver = next(iter(graph.get_collection(_SAVERS)), None)
        self._global_step = global_step
        if global_step is Supervisor.USE_DEFAULT:
            self._global_step = next(iter(graph.get_collection(_rill.graph_keys.GLOBAL_STEP)), None)
        self._own_manager = session_manager
        self._session_manager = session_manager or SessionManager(
            local_init_op=self._core.part("local_init_op"), ready_op=self.ready_op,
            ready_for_local_init_op=self.ready_for_local_init_op, graph=graph,
            recovery_wait_secs=recovery_wait_secs, local_init_run_options=local_init_run_options)

    is_chief = property(lambda self: self._is_chief, doc="Whether this task initialises and saves.")
    session_manager = property(lambda self: self._session_manager, doc="What opens the sessions.")
    coord = property(lambda self: self._coord, doc="The coordinator of the threads.")
    init_op = property(lambda self: self._core.part("init_op"), doc="Initialises the variables.")
    init_feed_dict = property(lambda self: self._init_feed_dict, doc="Fed to init_op.")
    ready_op = property(lambda self: self._core.part("ready_op"), doc="Names what is not initialised yet.")
    ready_for_local_init_op = property(lambda self: self._core.part("ready_for_local_init_op"),
                                       doc="Names what the local initialisation waits for.")
    summary_writer = property(lambda self: self._summary_writer, doc="What writes events, or None.")
    summary_op = property(lambda self: self._core.part("summary_op"), doc="All summaries, or None.")
    save_summaries_secs = property(lambda self: self._save_summaries_secs, doc="Seconds between summaries.")
    global_step = property(lambda self: self._global_step, doc="The tensor that counts steps.")
    saver = property(lambda self: self._saver, doc="What saves checkpoints, or None.")
    save_model_secs = property(lambda self: self._save_model_secs, doc="Seconds between checkpoints.")
    save_path = property(lambda self: self._save_path, doc="How the names of checkpoints begin.")

    def start_standard_services(self, sess):
        """Starts the threads that write summaries and save checkpoints."""
        threads = [_THREADS[name](self, sess) for name in self._core.begin_services(sess)]
        for thread in threads:
            thread.start()
        return threads if self._logdir else None

    def prepare_or_wait_for_session(self, master="", config=None, wait_for_checkpoint=False,
                                    max_wait_secs=7200, start_standard_services=True):
        """A session of an initialised model; then the threads start."""
        self._reopen()
        sess = self._open(master, config, wait_for_checkpoint, max_wait_secs)
        if self._is_chief:
            self._core.write_graph()
            if start_standard_services:
                logging.info("Starting standard services.")
                self.start_standard_services(sess)
        if start_standard_services:
            logging.info("Starting queue runners.")
            self.start_queue_runners(sess)
        return sess

    def _reopen(self):
        self._core.before_session()
        if self._summary_writer and hasattr(self._summary_writer, "reopen"):
            self._summary_writer.reopen()

    def _open(self, master, config, wait_for_checkpoint, max_wait_secs):
        if not self._own_manager:
            with self._graph.as_default():
                return self._core.prepare_session(master or "", config, wait_for_checkpoint, max_wait_secs)
        if not self._is_chief:
            return self._own_manager.wait_for_session(master, config=config, max_wait_secs=max_wait_secs)
        return self._own_manager.prepare_session(
            master, init_op=self.init_op, saver=self.saver, checkpoint_dir=self._logdir,
            wait_for_checkpoint=wait_for_checkpoint, max_wait_secs=max_wait_secs, config=config,
            init_feed_dict=self._init_feed_dict, init_fn=self._init_fn)

    def start_queue_runners(self, sess, queue_runners=None):
        """Starts the threads of the graph's queue runners, or of these."""
        if queue_runners is None:
            queue_runners = self._graph.get_collection(_rill.graph_keys.QUEUE_RUNNERS)
        return [thread for runner in queue_runners
                for thread in runner.create_threads(sess, coord=self._coord, daemon=True, start=True)]

    def loop(self, timer_interval_secs, target, args=None, kwargs=None):
        """A started thread that calls `target` again and again."""
        return LooperThread.loop(self._coord, timer_interval_secs, target=target, args=args, kwargs=kwargs)

    def stop(self, threads=None, close_summary_writer=True, ignore_live_threads=False):
        """Stops the threads and waits for them; raises what one of them failed with."""
        self._coord.request_stop()
        try:
            self._coord.join(threads, stop_grace_period_secs=self._stop_grace_secs,
                             ignore_live_threads=ignore_live_threads)
        finally:
            if close_summary_writer and self._summary_writer:
                self._core.close_summary_writer()
                self._summary_writer.close()

    def request_stop(self, ex=None):
        """Asks the threads to stop; `ex` is what stop() raises."""
        self._coord.request_stop(ex=ex)

    def should_stop(self):
        """Whether somebody asked for the end."""
        return self._coord.should_stop()

    def stop_on_exception(self):
        """A block whose exceptions are requests to stop."""
        return self._coord.stop_on_exception()

    def wait_for_stop(self):
        """Returns when somebody has asked for the end."""
        self._coord.wait_for_stop()

    def summary_computed(self, sess, summary, global_step=None):
        """Writes a Summary, or the bytes of one."""
        self._core.summary_computed(sess, summary, None if global_step is None else int(global_step))

    @contextlib.contextmanager
    def managed_session(self, master="", config=None, start_standard_services=True,
                        close_summary_writer=True):
        """A session with its threads, which end with the block."""
        sess = None
        try:
            sess = self.prepare_or_wait_for_session(master=master, config=config,
                                                    start_standard_services=start_standard_services)
            yield sess
        except Exception as error:
            self.request_stop(error)
        finally:
            try:
                self.request_stop()
                if sess is not None and self._coord._only_queue_runners_wait(self._stop_grace_secs):
                    sess.close()
                self.stop(close_summary_writer=close_summary_writer)
            finally:
                with contextlib.suppress(Exception):
                    sess.close()

    PrepareSession = prepare_or_wait_for_session
    StartQueueRunners = start_queue_runners
    StartStandardServices = start_standard_services
    Stop = stop
    RequestStop = request_stop
    Loop = loop
    ShouldStop = should_stop
    StopOnException = stop_on_exception
    WaitForStop = wait_for_stop
    SummaryComputed = summary_computed


def basic_train_loop(supervisor, train_step_fn, args=None, kwargs=None, master=""):
    """Calls `train_step_fn(sess, ...)` until the supervisor stops, again where a session was aborted."""
    while True:
        try:
            with supervisor.managed_session(master) as sess:
                while not supervisor.should_stop():
                    train_step_fn(sess, *(args or ()), **(kwargs or {}))
            return
        except errors.AbortedError:
            continue
