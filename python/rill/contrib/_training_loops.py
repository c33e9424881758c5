"""tf.contrib.training: loops around training and evaluation, which run in C++."""

from rill import _rill
from rill._hooks import FinalOpsHook, SummaryAtEndHook, _StopAfterNEvalsHook as StopAfterNEvalsHook  # noqa: F401
from rill._saver import checkpoints_iterator  # noqa: F401


def get_or_create_eval_step():
    """The local variable that counts the steps of an evaluation."""
    return _rill.get_or_create_eval_step()


def wait_for_new_checkpoint(checkpoint_dir, last_checkpoint=None, seconds_to_sleep=1, timeout=None):
    """The path of a checkpoint that is not the last one; None where the time is over."""
    return _rill.wait_for_new_checkpoint(checkpoint_dir, last_checkpoint, timeout)


def _evaluated(path, final_ops, final_ops_feed_dict, hooks, **options):
    last = FinalOpsHook(final_ops, final_ops_feed_dict)
    _rill.evaluate_checkpoints(path, dict(options, hooks=[*(hooks or []), last]))
    return last.final_ops_values


def evaluate_once(checkpoint_path, master="", scaffold=None, eval_ops=None, feed_dict=None, final_ops=None,
                  final_ops_feed_dict=None, hooks=None, config=None):
    """Evaluates with the values of a checkpoint; the values of `final_ops`."""
    return _evaluated(checkpoint_path, final_ops, final_ops_feed_dict, hooks, master=master, scaffold=scaffold,
                      eval_ops=eval_ops, feed_dict=feed_dict, config=config)


def evaluate_repeatedly(checkpoint_dir, master="", scaffold=None, eval_ops=None, feed_dict=None, final_ops=None,
                        final_ops_feed_dict=None, eval_interval_secs=60, hooks=None, config=None,
                        max_number_of_evaluations=None, timeout=None, timeout_fn=None):
    """Evaluates every new checkpoint of a directory; the values of `final_ops` of the last time."""
    return _evaluated(checkpoint_dir, final_ops, final_ops_feed_dict, hooks, master=master, scaffold=scaffold,
                      eval_ops=eval_ops, feed_dict=feed_dict, config=config, eval_interval_secs=eval_interval_secs,
                      max_number_of_evaluations=max_number_of_evaluations, timeout=timeout, timeout_fn=timeout_fn)


def train(train_op, logdir, master="", is_chief=True, scaffold=None, hooks=None, chief_only_hooks=None,
          save_checkpoint_secs=600, save_summaries_steps=100, config=None, max_wait_secs=7200, run_metadata=None):
    """Runs `train_op` until a hook stops it; its last value."""
    from rill._monitored_session import MonitoredTrainingSession
    if logdir is None and is_chief:
        for name, value in (("save_summaries_steps", save_summaries_steps),
                            ("save_checkpoint_secs", save_checkpoint_secs)):
            if value:
                raise ValueError(f"logdir cannot be None when {name} is not None")
    loss = None
    with MonitoredTrainingSession(master=master, is_chief=is_chief, checkpoint_dir=logdir, scaffold=scaffold,
                                  hooks=hooks, chief_only_hooks=chief_only_hooks,
                                  save_checkpoint_secs=save_checkpoint_secs,
                                  save_summaries_steps=save_summaries_steps, config=config,
                                  max_wait_secs=max_wait_secs) as session:
        while not session.should_stop():
            loss = session.run(train_op, run_metadata=run_metadata)
    return loss
