"""slim.evaluation: evaluations of the checkpoints of a training."""

from rill.contrib import _training_loops as loops
from rill.contrib._training_loops import checkpoints_iterator, wait_for_new_checkpoint  # noqa: F401

_USE_DEFAULT = 0


def _parts(logdir, num_evals, initial_op, initial_op_feed_dict, init_fn, eval_op, eval_op_feed_dict, final_op,
           final_op_feed_dict, summary_op, summary_op_feed_dict, variables_to_restore, session_config, hooks, master):
    """The arguments of the loops of tf.contrib.training."""
    from rill import summary, train
    if summary_op is _USE_DEFAULT:
        summary_op = summary.merge_all()
    all_hooks = [loops.StopAfterNEvalsHook(num_evals)]
    if summary_op is not None:
        all_hooks.append(loops.SummaryAtEndHook(logdir, summary_op=summary_op, feed_dict=summary_op_feed_dict))
    saver = None if variables_to_restore is None else train.Saver(variables_to_restore)
    scaffold = train.Scaffold(init_op=initial_op, init_feed_dict=initial_op_feed_dict, init_fn=init_fn, saver=saver)
    return dict(master=master, scaffold=scaffold, eval_ops=eval_op, feed_dict=eval_op_feed_dict,
                final_ops=final_op, final_ops_feed_dict=final_op_feed_dict, hooks=[*all_hooks, *(hooks or [])],
                config=session_config)


def evaluate_once(master, checkpoint_path, logdir, num_evals=1, initial_op=None, initial_op_feed_dict=None,
                  eval_op=None, eval_op_feed_dict=None, final_op=None, final_op_feed_dict=None,
                  summary_op=_USE_DEFAULT, summary_op_feed_dict=None, variables_to_restore=None,
                  session_config=None, hooks=None):
    """Runs `eval_op` so many times with the values of a checkpoint; the values of `final_op`."""
    return loops.evaluate_once(checkpoint_path, **_parts(
        logdir, num_evals, initial_op, initial_op_feed_dict, None, eval_op, eval_op_feed_dict, final_op,
        final_op_feed_dict, summary_op, summary_op_feed_dict, variables_to_restore, session_config, hooks, master))


def evaluation_loop(master, checkpoint_dir, logdir, num_evals=1, initial_op=None, initial_op_feed_dict=None,
                    init_fn=None, eval_op=None, eval_op_feed_dict=None, final_op=None, final_op_feed_dict=None,
                    summary_op=_USE_DEFAULT, summary_op_feed_dict=None, variables_to_restore=None,
                    eval_interval_secs=60, max_number_of_evaluations=None, session_config=None, timeout=None,
                    timeout_fn=None, hooks=None):
    """The same for every new checkpoint of a directory."""
    parts = _parts(logdir, num_evals, initial_op, initial_op_feed_dict, init_fn, eval_op, eval_op_feed_dict,
                   final_op, final_op_feed_dict, summary_op, summary_op_feed_dict, variables_to_restore,
                   session_config, hooks, master)
    return loops.evaluate_repeatedly(checkpoint_dir, eval_interval_secs=eval_interval_secs,
                                     max_number_of_evaluations=max_number_of_evaluations, timeout=timeout,
                                     timeout_fn=timeout_fn, **parts)
