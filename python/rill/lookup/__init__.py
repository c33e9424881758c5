"""tf.lookup: tables from keys to values."""

from rill import _surface
from rill._rill import (KeyValueTensorInitializer, StaticHashTable, StaticVocabularyTable,
                        TextFileInitializer)


class TextFileIndex:
    """What of a line is a key or value: the whole, its number, or a column (0, 1, ...)."""

    WHOLE_LINE = -2
    LINE_NUMBER = -1


__getattr__, __dir__ = _surface.members_of(__name__)
