#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace rill {

struct Record {
  std::string key, value;
};

// How one kind of reader makes records of a unit of work. Every function throws errors that name
// the file, and the position where there is one.
class RecordSource {
 public:
  virtual ~RecordSource() = default;
  virtual const char* kind() const = 0;  // "TextLineReader"
  virtual void start(const std::string& work) = 0;
  // The next record, or false when there is none. Sets `last` when it knows that none will follow.
  // After an error it tries the same place again.
  virtual bool read(Record* record, bool* last) = 0;
  virtual void stop() = 0;  // lets go of the work
  // Whether a work is one record, so that nothing is lost between works.
  virtual bool is_whole() const { return false; }
};

std::unique_ptr<RecordSource> whole_files();
std::unique_ptr<RecordSource> works_themselves();
std::unique_ptr<RecordSource> tf_records(const std::string& compression);
std::unique_ptr<RecordSource> lmdb_entries();

// Throws InvalidArgument for a negative number.
std::unique_ptr<RecordSource> text_lines(std::int64_t skipped_lines);

struct FixedLengths {
  std::int64_t header = 0, record = 0, footer = 0;  // in bytes
  std::int64_t hop = 0;                             // between records; 0: as long as a record
  std::string encoding;                             // "", "ZLIB", "GZIP"
};
// Throws InvalidArgument for a negative length, and when records would never come to an end.
std::unique_ptr<RecordSource> fixed_length_records(const FixedLengths& lengths);

}  // namespace rill
