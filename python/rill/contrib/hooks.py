"""tf.contrib.hooks."""

from rill._hooks import ProfilerHook

__all__ = ["ProfilerHook"]
