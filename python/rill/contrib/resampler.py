"""tf.contrib.resampler: images at places between their pixels."""

from rill import _rill

resampler = _rill.functions.contrib.resampler.resampler
