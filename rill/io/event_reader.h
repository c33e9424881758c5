#pragma once

#include <cstdint>
#include <string>

#include "rill/io/record_reader.h"

namespace tensorflow {
class Event;
}  // namespace tensorflow

namespace rill {

// The events of one file, in order.
class EventReader {
 public:
  explicit EventReader(const std::string& path) : path_(path), records_(path) {}

  // The next event, or false at the end of what is there now. Throws DataLoss with file and offset
  // for a record that is broken or no event; a truncated one may be complete later, and the next
  // call tries again.
  bool read(tensorflow::Event* event);
  std::uint64_t offset() const { return records_.offset(); }

 private:
  std::string path_, record_;
  RecordReader records_;
};

}  // namespace rill
