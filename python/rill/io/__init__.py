"""tf.io: files, records, examples and pictures."""

from rill import _surface
from rill._graph_files import write_graph
from rill._records import TFRecordCompressionType, TFRecordOptions, TFRecordWriter, tf_record_iterator

__getattr__, __dir__ = _surface.members_of(__name__)
