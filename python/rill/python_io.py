"""tf.python_io: TFRecord files."""

from rill import _surface
from rill._records import TFRecordCompressionType, TFRecordOptions, TFRecordWriter, tf_record_iterator

__getattr__, __dir__ = _surface.members_of(__name__)
