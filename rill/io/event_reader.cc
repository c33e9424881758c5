#include "rill/io/event_reader.h"

#include <limits>

#include "rill/base/error.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill {

bool EventReader::read(tensorflow::Event* event) {
  const std::uint64_t at = records_.offset();
  if (!records_.read(&record_)) return false;
  const bool fits = record_.size() <= std::numeric_limits<int>::max();
  if (!fits || !event->ParseFromArray(record_.data(), static_cast<int>(record_.size()))) {
    records_.seek(at);
    raise(Code::kDataLoss, "the record at ", at, " of ", path_, " is no event");
  }
  return true;
}

}  // namespace rill
