#pragma once

#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "rill/io/record_reader.h"
#include "rill/io/record_writer.h"

namespace rill::io {

// How a TFRecord file is packed. Without a compression the other fields mean nothing. Defaults:
// zlib's own level and strategy, memory level 9, the largest window, a buffer of 256 KiB.
struct TFRecordOptions {
  Compression compression_type = Compression::none;
  std::optional<int> window_bits = {}, compression_level = {}, mem_level = {},
                     compression_strategy = {};
  std::optional<std::size_t> output_buffer_size = {};

  // In the words of rill/io; the attribute of ops that read such files is compression_name().
  RecordWriterOptions writer_options() const;
  std::string compression_name() const;  // "", "ZLIB" or "GZIP"
};

// Writes records, any bytes, to a file, with a length and a checksum each. An existing file is
// replaced. Goes away closed; whoever wants to see errors of the last bytes calls close().
//
//   io::TFRecordWriter out("data.tfrecord", {.compression_type = Compression::gzip});
//   out.write(example.SerializeAsString());
class TFRecordWriter : public RecordWriter {
 public:
  explicit TFRecordWriter(const std::string& path, const TFRecordOptions& options = {})
      : RecordWriter(path, options.writer_options()) {}
};

// The records of a file, one after the other:
//
//   for (const std::string& record : tf_record_iterator(path)) ...
//
// The constructor throws NotFound; a step forward throws DataLoss where a record is cut short or
// its checksum is wrong. The options must name the compression that the file was written with; it
// is not recognised. For one pass and one thread.
class TFRecordIterator {
 public:
  explicit TFRecordIterator(const std::string& path, const TFRecordOptions& options = {});
  // False at the end, which a file that still grows may leave again.
  bool next(std::string* record) { return reader_.read(record); }

  // An input iterator: copies share the file, and only the newest may go on.
  class Position {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = std::string;
    using difference_type = std::ptrdiff_t;
    using pointer = const std::string*;
    using reference = const std::string&;

    Position() = default;  // the end
    explicit Position(TFRecordIterator* records) : records_(records) { ++*this; }
    const std::string& operator*() const { return record_; }
    Position& operator++() {
      if (!records_->next(&record_)) records_ = nullptr;
      return *this;
    }
    bool operator==(const Position& other) const { return records_ == other.records_; }

   private:
    TFRecordIterator* records_ = nullptr;
    std::string record_;
  };
  Position begin() { return Position(this); }
  Position end() { return {}; }

 private:
  RecordReader reader_;
};

inline TFRecordIterator tf_record_iterator(const std::string& path,
                                           const TFRecordOptions& options = {}) {
  return TFRecordIterator(path, options);
}

}  // namespace rill::io

namespace rill {
namespace python_io = io;
}  // namespace rill
