"""tf.summary: what TensorBoard shows, and the files it reads."""

from rill import _surface
from rill._file_writer import FileWriter, FileWriterCache
from rill._file_writer import SummaryIterator as summary_iterator
from rill._recorded_summaries import initialize

__getattr__, __dir__ = _surface.members_of(__name__)
