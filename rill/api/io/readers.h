#pragma once

#include <cstdint>
#include <source_location>
#include <string>
#include <utility>

#include "rill/api/core/default_graph.h"
#include "rill/api/io/tf_record.h"
#include "rill/api/queue/queues.h"

namespace rill {

struct ReaderOpOptions {
  std::string name;
};

// Turns work, such as names of files, that it takes from a queue into records: keys and values.
class ReaderBase {
 public:
  explicit ReaderBase(Output reader_ref, bool supports_serialize = false)
      : reader_ref_(reader_ref), supports_serialize_(supports_serialize) {}

  Output reader_ref() const { return reader_ref_; }
  bool supports_serialize() const { return supports_serialize_; }

  // The next record: its key and its value.
  std::pair<Output, Output> read(const queue::QueueBase& queue, const ReaderOpOptions& options = {},
                                 std::source_location at = std::source_location::current()) const {
    return read(queue.queue_ref(), options, at);
  }
  std::pair<Output, Output> read(Output queue_ref, const ReaderOpOptions& options = {},
                                 std::source_location at = std::source_location::current()) const;
  // Up to `num_records` of them, as vectors.
  std::pair<Output, Output> read_up_to(
      Output queue_ref, const Input& num_records, const ReaderOpOptions& options = {},
      std::source_location at = std::source_location::current()) const;
  std::pair<Output, Output> read_up_to(
      const queue::QueueBase& queue, const Input& num_records, const ReaderOpOptions& options = {},
      std::source_location at = std::source_location::current()) const {
    return read_up_to(queue.queue_ref(), num_records, options, at);
  }
  Output num_records_produced(const ReaderOpOptions& options = {},
                              std::source_location at = std::source_location::current()) const;
  Output num_work_units_completed(const ReaderOpOptions& options = {},
                                  std::source_location at = std::source_location::current()) const;
  Output serialize_state(const ReaderOpOptions& options = {},
                         std::source_location at = std::source_location::current()) const;
  Node& restore_state(const Input& state, const ReaderOpOptions& options = {},
                      std::source_location at = std::source_location::current()) const;
  Node& reset(const ReaderOpOptions& options = {},
              std::source_location at = std::source_location::current()) const;

 private:
  // "ReaderReadV2", or "ReaderRead" for a reader of older graphs.
  std::string op_name(const char* op) const;
  Output queue_for(Output queue_ref, std::source_location at) const;

  Output reader_ref_;
  bool supports_serialize_;
};

// Whole files: the key is the name, the value what is in it.
class WholeFileReader : public ReaderBase {
 public:
  explicit WholeFileReader(const ReaderOpOptions& options = {},
                           std::source_location at = std::source_location::current());
};

struct TextLineReaderOptions {
  std::int64_t skip_header_lines = 0;
  std::string name;
};
// The lines of text files, without their ends.
class TextLineReader : public ReaderBase {
 public:
  explicit TextLineReader(const TextLineReaderOptions& options = {},
                          std::source_location at = std::source_location::current());
};

struct FixedLengthRecordReaderOptions {
  std::int64_t header_bytes = 0, footer_bytes = 0;
  std::int64_t hop_bytes = 0;  // from one record to the next; 0: the records' length
  std::string encoding;        // "" or "ZLIB"
  std::string name;
};
// Records of one length.
class FixedLengthRecordReader : public ReaderBase {
 public:
  explicit FixedLengthRecordReader(std::int64_t record_bytes,
                                   const FixedLengthRecordReaderOptions& options = {},
                                   std::source_location at = std::source_location::current());
};

struct TFRecordReaderOptions {
  io::TFRecordOptions options;
  std::string name;
};
class TFRecordReader : public ReaderBase {
 public:
  explicit TFRecordReader(const TFRecordReaderOptions& options = {},
                          std::source_location at = std::source_location::current());
};

// The entries of LMDB databases.
class LMDBReader : public ReaderBase {
 public:
  explicit LMDBReader(const ReaderOpOptions& options = {},
                      std::source_location at = std::source_location::current());
};

// The work itself, as key and value.
class IdentityReader : public ReaderBase {
 public:
  explicit IdentityReader(const ReaderOpOptions& options = {},
                          std::source_location at = std::source_location::current());
};

}  // namespace rill
