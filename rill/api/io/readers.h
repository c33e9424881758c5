#pragma once

#include <cstdint>
#include <source_location>
#include <string>
#include <utility>

#include "rill/api/core/default_graph.h"
#include "rill/api/io/tf_record.h"
#include "rill/api/queue/queues.h"

namespace rill {

// Readers are tf's queue-based input; programs of today use data/dataset.h.
//
//   queue::FIFOQueue files(...);  // of strings, which another thread or node fills
//   TextLineReader lines({.skip_header_lines = 1});
//   auto [key, value] = lines.read(files);
//
// A reader is a resource of the session: several read() nodes share its position, and reads that
// meet are served one after the other. Constructors and functions only add nodes. They throw
// InvalidArgument when a node does not fit; what fails later fails the step.
struct ReaderOpOptions {
  std::string name = {};
};

// Turns work, such as names of files, that it takes from a queue into records: keys and values.
// When the work at hand has no more records, the next one is dequeued.
class ReaderBase {
 public:
  // `reader_ref` is the resource, or the string reference of a reader of older graphs.
  explicit ReaderBase(Output reader_ref, bool supports_serialize = false)
      : reader_ref_(reader_ref), supports_serialize_(supports_serialize) {}

  Output reader_ref() const { return reader_ref_; }
  bool supports_serialize() const { return supports_serialize_; }

  // The next record: its key and its value, scalars of strings. Waits for work while the queue is
  // empty. The step fails with OutOfRange when the queue is closed and all work is done,
  // InvalidArgument when the queue holds anything but single strings, and with what opening or
  // reading the file throws.
  std::pair<Output, Output> read(const queue::QueueBase& queue, const ReaderOpOptions& options = {},
                                 std::source_location at = std::source_location::current()) const {
    return read(queue.queue_ref(), options, at);
  }
  std::pair<Output, Output> read(Output queue_ref, const ReaderOpOptions& options = {},
                                 std::source_location at = std::source_location::current()) const;
  // Up to `num_records` of them, as vectors; fewer where the work at hand ends, though more is
  // queued.
  std::pair<Output, Output> read_up_to(
      Output queue_ref, const Input& num_records, const ReaderOpOptions& options = {},
      std::source_location at = std::source_location::current()) const;
  std::pair<Output, Output> read_up_to(
      const queue::QueueBase& queue, const Input& num_records, const ReaderOpOptions& options = {},
      std::source_location at = std::source_location::current()) const {
    return read_up_to(queue.queue_ref(), num_records, options, at);
  }
  // Scalars of int64: records read so far, and works that were read to their end.
  Output num_records_produced(const ReaderOpOptions& options = {},
                              std::source_location at = std::source_location::current()) const;
  Output num_work_units_completed(const ReaderOpOptions& options = {},
                                  std::source_location at = std::source_location::current()) const;
  // The position as a string, and back. Only WholeFileReader and IdentityReader can
  // (supports_serialize()): a position within a file is not kept. Others fail the step with
  // Unimplemented.
  Output serialize_state(const ReaderOpOptions& options = {},
                         std::source_location at = std::source_location::current()) const;
  Node& restore_state(const Input& state, const ReaderOpOptions& options = {},
                      std::source_location at = std::source_location::current()) const;
  // The reader as it was when it was made; the rest of the work at hand is dropped.
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
  std::string name = {};
};
// The lines of text files, without their ends. The key is "file:number", counted from 1 with the
// header lines included, which are skipped in each file.
class TextLineReader : public ReaderBase {
 public:
  explicit TextLineReader(const TextLineReaderOptions& options = {},
                          std::source_location at = std::source_location::current());
};

// Lengths in bytes. A negative one fails the step that first uses the reader, with InvalidArgument.
struct FixedLengthRecordReaderOptions {
  std::int64_t header_bytes = 0, footer_bytes = 0;
  std::int64_t hop_bytes = 0;  // from one record to the next; 0: the records' length
  std::string encoding = {};   // "" or "ZLIB"
  std::string name = {};
};
// Records of one length, between a header and a footer. With a hop smaller than the record, records
// overlap. What is left at the end and is no full record is dropped.
class FixedLengthRecordReader : public ReaderBase {
 public:
  explicit FixedLengthRecordReader(std::int64_t record_bytes,
                                   const FixedLengthRecordReaderOptions& options = {},
                                   std::source_location at = std::source_location::current());
};

struct TFRecordReaderOptions {
  io::TFRecordOptions options = {};
  std::string name = {};
};
// Records of TFRecord files (tf_record.h). The step fails with DataLoss where a checksum is wrong.
// Of the options only compression_type counts: readers find the rest in the file.
class TFRecordReader : public ReaderBase {
 public:
  explicit TFRecordReader(const TFRecordReaderOptions& options = {},
                          std::source_location at = std::source_location::current());
};

// The entries of LMDB databases, in the order of their keys.
class LMDBReader : public ReaderBase {
 public:
  explicit LMDBReader(const ReaderOpOptions& options = {},
                      std::source_location at = std::source_location::current());
};

// The work itself, as key and value: for queues that hold data instead of names.
class IdentityReader : public ReaderBase {
 public:
  explicit IdentityReader(const ReaderOpOptions& options = {},
                          std::source_location at = std::source_location::current());
};

}  // namespace rill
