#include "rill/api/io/tf_record.h"

namespace rill::io {

RecordWriterOptions TFRecordOptions::writer_options() const {
  RecordWriterOptions options;
  options.compression = compression_type;
  options.zlib.window_bits = window_bits.value_or(options.zlib.window_bits);
  options.zlib.level = compression_level.value_or(options.zlib.level);
  options.zlib.memory_level = mem_level.value_or(options.zlib.memory_level);
  options.zlib.strategy = compression_strategy.value_or(options.zlib.strategy);
  options.zlib.buffer_size = output_buffer_size.value_or(options.zlib.buffer_size);
  return options;
}

std::string TFRecordOptions::compression_name() const {
  switch (compression_type) {
    case Compression::zlib:
      return "ZLIB";
    case Compression::gzip:
      return "GZIP";
    case Compression::none:
      break;
  }
  return "";
}

TFRecordIterator::TFRecordIterator(const std::string& path, const TFRecordOptions& options)
    : reader_(path, {.compression = options.compression_type, .zlib = {}}) {}

}  // namespace rill::io
