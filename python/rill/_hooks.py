"""tf.train's ready-made hooks: faces of hooks of C++, which do the work of every step.

Programs subclass them, so what TensorFlow's classes keep in attributes is found under the same names here.
"""

import weakref

from rill import _rill
from rill._coordinator import Coordinator
from rill._session_run_hook import SessionRunArgs, SessionRunHook

SecondOrStepTimer, NeverTriggerTimer = _rill.SecondOrStepTimer, _rill.NeverTriggerTimer


class CoreHook(SessionRunHook):
    """A hook whose `_core` of C++ does the work."""

    def begin(self):
        """Makes what the hook needs in the graph."""
        self._core.begin()

    def after_create_session(self, session, coord):
        """Begins with a session."""
        self._core.after_create_session(session, Coordinator() if coord is None else coord)

    def before_run(self, run_context):
        """What the hook wants of the step."""
        args = self._core.before_run(run_context)
        return None if args is None else SessionRunArgs(self._form(args.fetches), args.feed_dict, args.options)

    def after_run(self, run_context, run_values):
        """Works with what the step gave."""
        self._core.after_run(run_context, run_values)

    def end(self, session):
        """Ends with the session."""
        self._core.end(session)

    def _form(self, fetches):
        """What is fetched, in TensorFlow's structure."""
        return fetches[0] if len(fetches) == 1 else fetches

    def _overridden(self, name, base):
        """The method of that name where a program's class has its own, without keeping this object."""
        if getattr(type(self), name) is getattr(base, name):
            return None
        method = weakref.WeakMethod(getattr(self, name))
        return lambda *args: method()(*args)


def _of_core(name):
    """An attribute that the hook of C++ has."""
    return property(lambda self: getattr(self._core, name))


def _graph_element(obj):
    """A tensor of the default graph: itself, or the one of that name."""
    graph = _rill.get_default_graph()
    if not isinstance(obj, str):
        if getattr(obj, "graph", None) is not graph:
            raise ValueError(f"Passed {obj} should have graph attribute that is equal to current graph {graph}.")
        return obj
    if ":" in obj:
        return graph.as_graph_element(obj)
    element = graph.as_graph_element(obj + ":0")
    if len(element.op.outputs) > 1:
        raise ValueError(f"Name {obj} is ambiguous, as this `Operation` has multiple outputs (at least 2).")
    return element


def _suppressed(function):
    """The function, called while NumPy writes small numbers without exponents."""
    def call(value):
        import numpy
        with numpy.printoptions(suppress=True):
            return function(value)
    return call


class LoggingTensorHook(CoreHook):
    """Logs tensors every so many steps or seconds, or at the end."""

    def __init__(self, tensors, every_n_iter=None, every_n_secs=None, at_end=False, formatter=None):
        if every_n_iter is not None and every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        if isinstance(tensors, dict):
            order = sorted(tensors)
        else:
            order = list(tensors)
            tensors = {item: item for item in order}
        self._tag_order, self._tensors = order, tensors
        self._formatter, self._log_at_end = formatter, at_end
        self._core = _rill.LoggingTensorHookCore(
            [str(tag) for tag in order], [lambda item=tensors[tag]: _graph_element(item) for tag in order],
            every_n_iter, every_n_secs, bool(at_end),
            formatter and _suppressed(lambda values: formatter(dict(zip(order, values)))), _suppressed(str))
        override = self._overridden("_log_tensors", LoggingTensorHook)
        if override is not None:
            self._core.override_log_tensors(lambda values: override(dict(zip(order, values))))

    _timer, _should_trigger = _of_core("timer"), _of_core("is_triggered")

    @property
    def _iter_count(self):
        return self._core.iter_count

    @_iter_count.setter
    def _iter_count(self, count):
        self._core.iter_count = count

    @property
    def _current_tensors(self):
        return self._form(self._core.current_tensors)

    def _form(self, fetches):
        found = dict(zip(self._tag_order, fetches))
        return {tag: found[tag] if isinstance(item, str) else item for tag, item in self._tensors.items()}

    def _values(self, results):
        return [results[tag] for tag in self._tag_order] if isinstance(results, dict) else results

    def after_run(self, run_context, run_values):
        """Logs the values where the step was asked for them."""
        self._core.after_run(run_context, run_values._replace(results=self._values(run_values.results)))

    def _log_tensors(self, tensor_values):
        self._core.log_tensors(self._values(tensor_values))


class _Writing(CoreHook):
    """A hook that writes to `_summary_writer`."""

    @property
    def _summary_writer(self):
        if self._writer is None and self._output_dir and self._core.global_step is not None:
            from rill._file_writer import FileWriterCache
            self._writer = FileWriterCache.get(self._output_dir)
        return self._writer

    @_summary_writer.setter
    def _summary_writer(self, writer):
        self._writer = writer
        self._core.set_summary_writer(writer)


class StepCounterHook(_Writing):
    """Logs how many steps there are in a second, and writes it as a summary."""

    def __init__(self, every_n_steps=100, every_n_secs=None, output_dir=None, summary_writer=None):
        self._output_dir, self._writer = output_dir, summary_writer
        self._core = _rill.StepCounterHookCore(every_n_steps, every_n_secs, output_dir, summary_writer)
        override = self._overridden("_log_and_record", StepCounterHook)
        if override is not None:
            self._core.override_record(override)

    _timer, _summary_tag = _of_core("timer"), _of_core("summary_tag")
    _global_step_tensor = _of_core("global_step")

    def _set_steps_per_run(self, steps_per_run):
        self._core.set_steps_per_run(steps_per_run)

    def _log_and_record(self, elapsed_steps, elapsed_time, global_step):
        self._core.log_and_record(elapsed_steps, elapsed_time, global_step)


class StopAtStepHook(CoreHook):
    """Stops after so many steps, or at a step."""

    def __init__(self, num_steps=None, last_step=None):
        self._num_steps = num_steps
        self._core = _rill.StopAtStepHookCore(num_steps, last_step)

    _last_step, _global_step_tensor = _of_core("last_step"), _of_core("global_step")


class _MultiStepStopAtStepHook(CoreHook):
    """The same for runs of several steps each."""

    def __init__(self, num_steps=None, last_step=None, steps_per_run=1):
        self._core = _rill.MultiStepStopAtStepHookCore(num_steps, last_step, steps_per_run)


class CheckpointSaverListener:
    """Told before and after a CheckpointSaverHook saves."""

    def begin(self):
        """Called before the graph is finalised."""

    def before_save(self, session, global_step_value):
        """Called before each checkpoint."""

    def after_save(self, session, global_step_value):
        """Called after each checkpoint; True asks for the end of the training."""

    def end(self, session, global_step_value):
        """Called at the end of the session."""


class CheckpointSaverHook(CoreHook):
    """Saves checkpoints when a session begins, every so many seconds or steps, and at the end."""

    def __init__(self, checkpoint_dir, save_secs=None, save_steps=None, saver=None,
                 checkpoint_basename="model.ckpt", scaffold=None, listeners=None, save_graph_def=True):
        self._saver, self._scaffold = saver, scaffold
        self._checkpoint_dir, self._listeners = checkpoint_dir, listeners or []
        self._save_graph_def = save_graph_def
        this = weakref.ref(self)
        self._core = _rill.CheckpointSaverHookCore(
            str(checkpoint_dir), save_secs, save_steps, checkpoint_basename, self._listeners,
            bool(save_graph_def), lambda *args: this()._write(*args), lambda: this()._saver_def())
        if saver is not None and scaffold is not None:
            raise ValueError("You cannot provide both saver and scaffold.")
        override = self._overridden("_save", CheckpointSaverHook)
        if override is not None:
            self._core.override_save(override)

    _timer, _save_path, _global_step_tensor = _of_core("timer"), _of_core("save_path"), _of_core("global_step")

    @property
    def _summary_writer(self):
        from rill._file_writer import FileWriterCache
        return FileWriterCache.get(str(self._checkpoint_dir))

    def _set_steps_per_run(self, steps_per_run):
        self._core.set_steps_per_run(steps_per_run)

    def _save(self, session, step):
        return self._core.save(session, step)

    def _write(self, session, path, step, write_meta_graph):
        self._get_saver().save(session, path, global_step=step, write_meta_graph=write_meta_graph)

    def _saver_def(self):
        saver = self._get_saver()
        return saver.saver_def if saver else None

    def _get_saver(self):
        if self._saver is not None:
            return self._saver
        if self._scaffold is not None:
            return self._scaffold.saver
        savers = _rill.get_default_graph().get_collection("savers")
        if not savers:
            raise RuntimeError("No items in collection savers. Please add a saver to the collection or provide a "
                               "saver or scaffold.")
        if len(savers) > 1:
            raise RuntimeError("More than one item in collection savers. Please indicate which one to use by "
                               "passing it to the constructor.")
        self._saver = savers[0]
        return self._saver


class SummarySaverHook(_Writing):
    """Writes summaries in the first step of a session and every so many seconds or steps."""

    def __init__(self, save_steps=None, save_secs=None, output_dir=None, summary_writer=None, scaffold=None,
                 summary_op=None):
        if (scaffold is None) == (summary_op is None):
            raise ValueError("Exactly one of scaffold or summary_op must be provided.")
        self._summary_op, self._scaffold = summary_op, scaffold
        self._output_dir, self._writer = output_dir, summary_writer
        this = weakref.ref(self)
        self._core = _rill.SummarySaverHookCore(save_steps, save_secs, output_dir, summary_writer,
                                                lambda: this()._get_summary_op() or [])

    _timer, _global_step_tensor = _of_core("timer"), _of_core("global_step")

    def _get_summary_op(self):
        found = self._scaffold.summary_op if self._summary_op is None else self._summary_op
        return found if found is None or isinstance(found, list) else [found]

    def _form(self, fetches):
        form = {"global_step": fetches[0]}
        if len(fetches) > 1:
            form["summary"] = fetches[1:]
        return form

    def after_run(self, run_context, run_values):
        """Writes the summaries where the step was asked for them."""
        results = run_values.results
        flat = [results["global_step"], *results.get("summary", [])]
        self._core.after_run(run_context, run_values._replace(results=flat))

    def end(self, session=None):
        """Everything is in the file afterwards."""
        self._core.finish()


class NanLossDuringTrainingError(RuntimeError):
    """The loss is no number."""

    def __str__(self):
        return "NaN loss during training."


class NanTensorHook(CoreHook):
    """Fails, or stops, when the loss is no number."""

    def __init__(self, loss_tensor, fail_on_nan_loss=True):
        self._loss_tensor, self._fail_on_nan_loss = loss_tensor, fail_on_nan_loss
        self._core = _rill.NanTensorHookCore(lambda: loss_tensor, bool(fail_on_nan_loss))

    def _form(self, fetches):
        return self._loss_tensor


class GlobalStepWaiterHook(CoreHook):
    """Lets a worker begin when the others have taken so many steps."""

    def __init__(self, wait_until_step):
        self._wait_until_step = wait_until_step
        self._core = _rill.GlobalStepWaiterHookCore(wait_until_step)


class FinalOpsHook(CoreHook):
    """Runs something once, at the end of the session."""

    def __init__(self, final_ops, final_ops_feed_dict=None):
        self._final_ops, self._final_ops_feed_dict = final_ops, final_ops_feed_dict
        self._final_ops_values = None
        this = weakref.ref(self)
        self._core = _rill.EndHookCore(lambda session: this()._run(session))

    @property
    def final_ops_values(self):
        """What it gave; None before the end."""
        return self._final_ops_values

    def _run(self, session):
        from rill import errors
        if self._final_ops is None:
            return
        try:
            self._final_ops_values = session.run(self._final_ops, feed_dict=self._final_ops_feed_dict)
        except (errors.OutOfRangeError, StopIteration):
            _rill.warn_of_input()
            raise

    def end(self, session):
        """Runs it."""
        self._run(session)


class FeedFnHook(SessionRunHook):
    """Feeds what a function gives for every step."""

    def __init__(self, feed_fn):
        self.feed_fn = feed_fn

    def before_run(self, run_context):
        """Calls the function."""
        return SessionRunArgs(fetches=None, feed_dict=self.feed_fn())


class ProfilerHook(CoreHook):
    """Writes what ran when in a step to "timeline-<step>.json", every so many seconds or steps."""

    def __init__(self, save_steps=None, save_secs=None, output_dir="", show_dataflow=True, show_memory=False):
        self._core = _rill.ProfilerHookCore(save_steps, save_secs, output_dir, bool(show_dataflow),
                                            bool(show_memory))

    _timer = _of_core("timer")

    def _form(self, fetches):
        return {"global_step": fetches[0]}

    def after_run(self, run_context, run_values):
        """Writes the trace where the step was asked for one."""
        self._core.after_step(run_context.session, run_values.results["global_step"], run_values.run_metadata)


class _StopAfterNEvalsHook(CoreHook):
    """Stops after so many evaluations, and logs them."""

    def __init__(self, num_evals, log_progress=True):
        self._num_evals = num_evals
        self._core = _rill.StopAfterNEvalsHookCore(num_evals, bool(log_progress))

    _evals_completed = _of_core("evals_completed")

    def _set_evals_completed_tensor(self, updated_eval_step):
        self._core.set_evals_completed(updated_eval_step)

    def _form(self, fetches):
        return {"evals_completed": fetches[0]}


class _MultiStepStopAfterNEvalsHook(_StopAfterNEvalsHook):
    """The same for runs of several evaluations each."""

    def __init__(self, num_evals, steps_per_run=1):
        self._num_evals = num_evals
        self._core = _rill.MultiStepStopAfterNEvalsHookCore(num_evals, steps_per_run)


class SummaryAtEndHook(CoreHook):
    """Writes summaries once, at the end of the session."""

    def __init__(self, log_dir=None, summary_writer=None, summary_op=None, feed_dict=None):
        self._core = _rill.SummaryAtEndHookCore(log_dir, summary_writer, summary_op, feed_dict)


def get_or_create_steps_per_run_variable():
    """The variable that says how many steps one run takes."""
    return _rill.get_or_create_steps_per_run_variable()


def global_step_read(graph=None):
    """The tensor that hooks read the global step from; None where there is none."""
    with (graph or _rill.get_default_graph()).as_default():
        return _rill.global_step_read()
