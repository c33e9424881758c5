"""tf.contrib.staging."""

from rill._rill import StagingArea  # noqa: F401
