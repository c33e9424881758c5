"""tf.contrib.staging."""

from rill._rill import MapStagingArea, StagingArea  # noqa: F401
