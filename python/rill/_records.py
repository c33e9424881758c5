"""TFRecord files, as tf.io and tf.python_io have them."""

import os

from rill import _rill


class TFRecordCompressionType:
    """How a TFRecord file is packed."""

    NONE = 0
    ZLIB = 1
    GZIP = 2


class TFRecordOptions:
    """How a TFRecord file is packed, with zlib's own settings."""

    compression_type_map = {TFRecordCompressionType.ZLIB: "ZLIB", TFRecordCompressionType.GZIP: "GZIP",
                            TFRecordCompressionType.NONE: ""}

    def __init__(self, compression_type=None, flush_mode=None, input_buffer_size=None,
                 output_buffer_size=None, window_bits=None, compression_level=None,
                 compression_method=None, mem_level=None, compression_strategy=None):
        self.get_compression_type_string(compression_type)  # refuses what is none
        self.compression_type = compression_type
        self.flush_mode = flush_mode
        self.input_buffer_size = input_buffer_size
        self.output_buffer_size = output_buffer_size
        self.window_bits = window_bits
        self.compression_level = compression_level
        self.compression_method = compression_method
        self.mem_level = mem_level
        self.compression_strategy = compression_strategy

    @classmethod
    def get_compression_type_string(cls, options):
        """"", "ZLIB" or "GZIP" for options, a TFRecordCompressionType or such a string."""
        while isinstance(options, TFRecordOptions):  # options may be made of others
            options = options.compression_type
        if not options:
            return ""
        if options in cls.compression_type_map:
            return cls.compression_type_map[options]
        if options in cls.compression_type_map.values():
            return options
        raise ValueError(f'Not a valid compression_type: "{options}"')


class TFRecordWriter(_rill.RecordWriter):
    """Writes records to a TFRecord file."""

    def __init__(self, path, options=None):
        if not isinstance(options, TFRecordOptions):
            options = TFRecordOptions(compression_type=options)
        super().__init__(os.fsdecode(path), TFRecordOptions.get_compression_type_string(options),
                         options.window_bits, options.compression_level, options.mem_level,
                         options.compression_strategy, options.output_buffer_size)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()


def tf_record_iterator(path, options=None):
    """The records of a file, one after the other."""
    return _rill.RecordIterator(os.fsdecode(path), TFRecordOptions.get_compression_type_string(options))
