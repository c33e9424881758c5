"""What is counted while pipelines run."""

from rill import raw_ops


class StatsAggregator:
    """Gathers measurements of the datasets whose options name it."""

    def __init__(self):
        self._resource = raw_ops.StatsAggregatorHandle(container="", shared_name="")

    def get_summary(self):
        """What was gathered so far, a serialised Summary, as a tensor."""
        return raw_ops.StatsAggregatorSummary(iterator=self._resource)
