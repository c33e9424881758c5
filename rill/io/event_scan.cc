#include "rill/io/event_scan.h"

#include "rill/base/error.h"
#include "rill/io/event_reader.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill {

std::string scan_events(const std::string& path,
                        FunctionRef<void(const tensorflow::Event&)> visit) {
  EventReader reader(path);
  tensorflow::Event event;
  return read_until_damage([&] {
    if (!reader.read(&event)) return false;
    visit(event);
    return true;
  });
}

std::string read_until_damage(FunctionRef<bool()> next) {
  try {
    while (next()) continue;
  } catch (const Error& error) {
    if (error.code() != Code::kDataLoss) throw;
    return error.message();
  }
  return "";
}

}  // namespace rill
