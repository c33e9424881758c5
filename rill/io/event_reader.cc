#include "rill/io/event_reader.h"

#include "rill/base/error.h"
#include "rill/io/parse_message.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill {

bool EventReader::read(tensorflow::Event* event) {
  const std::uint64_t at = records_.offset();
  if (!records_.read(&record_)) return false;
  if (!parse_message(record_, event)) {
    records_.seek(at);
    raise(Code::kDataLoss, "the record at ", at, " of ", path_, " is no event");
  }
  return true;
}

}  // namespace rill
