"""tf.contrib.stat_summarizer: what the nodes of traced steps took, in the tables of benchmark_model."""

import sys as _sys

from rill import _rill


class StatSummarizer:
    """Gathers steps and shows them. `graph_def` is what TensorFlow wants first; the steps say all that is shown."""

    def __init__(self, graph_def=None):
        del graph_def
        self._core = _rill.StatSummary()

    def ProcessStepStats(self, step_stats):  # noqa: N802
        """Adds the `step_stats` of a RunMetadata."""
        self._core.add(step_stats)

    def ProcessStepStatsStr(self, step_stats):  # noqa: N802
        """Adds a serialized StepStats."""
        self._core.add(step_stats)

    def GetOutputString(self):  # noqa: N802
        """The tables."""
        return self._core.text()

    def PrintStepStats(self):  # noqa: N802
        """Prints them to standard error."""
        _sys.stderr.write(self._core.text())

    PrintOutput = PrintStepStats


def NewStatSummarizer(graph_def):  # noqa: N802
    """A StatSummarizer."""
    return StatSummarizer(graph_def)


def DeleteStatSummarizer(summarizer):  # noqa: N802
    """Nothing: it goes with its last user."""
    del summarizer
