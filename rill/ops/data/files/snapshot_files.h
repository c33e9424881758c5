#pragma once

#include <memory>
#include <string>

#include "rill/io/record_reader.h"
#include "rill/io/record_writer.h"
#include "rill/ops/data/core/dataset.h"

namespace rill {

// What a dataset is made of, as a number: equal for equal nodes, constants and functions' names.
std::uint64_t fingerprint(const Dataset& dataset);

// A folder of elements: files of records, a record per component, and a note that says which run
// wrote them and whether it came to its end.
struct SnapshotNote {
  std::string run;
  std::int64_t created_micros = 0;
  bool finished = false;
};

// False when there is none.
bool read_note(const std::string& folder, SnapshotNote* note);
void write_note(const std::string& folder, const SnapshotNote& note);

class SnapshotWriter {
 public:
  SnapshotWriter(std::string folder, Compression compression, std::int64_t bytes_per_file)
      : folder_(std::move(folder)), compression_(compression), bytes_per_file_(bytes_per_file) {}
  void write(const Element& element);
  void finish();

 private:
  const std::string folder_;
  const Compression compression_;
  const std::int64_t bytes_per_file_;
  std::unique_ptr<RecordWriter> file_;
  std::int64_t files_ = 0, bytes_ = 0;
};

class SnapshotReader {
 public:
  SnapshotReader(std::string folder, Compression compression, std::size_t components)
      : folder_(std::move(folder)), compression_(compression), components_(components) {}
  bool read(Element& element);  // false at the end

 private:
  const std::string folder_;
  const Compression compression_;
  const std::size_t components_;
  std::unique_ptr<RecordReader> file_;
  std::int64_t files_ = 0;
};

}  // namespace rill
