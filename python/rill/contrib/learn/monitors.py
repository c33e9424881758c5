"""tf.contrib.learn.monitors: hooks took their place before TensorFlow 1.0; what turns one into the other is left."""

from rill._session_run_hook import SessionRunHook


def replace_monitors_with_hooks(monitors_or_hooks, estimator):
    """The hooks of a list."""
    hooks = list(monitors_or_hooks or [])
    for hook in hooks:
        if not isinstance(hook, SessionRunHook):
            raise TypeError(f"Rill has no monitors: expected a tf.train.SessionRunHook, got {hook!r}")
    return hooks
