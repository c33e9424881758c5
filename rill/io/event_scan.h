#pragma once

#include <string>

#include "rill/base/function_ref.h"

namespace tensorflow {
class Event;
}  // namespace tensorflow

namespace rill {

// Calls `visit` with the events of a file, as far as they can be read. Says where the file is cut
// or broken, and how; "" when it is not.
std::string scan_events(const std::string& path, FunctionRef<void(const tensorflow::Event&)> visit);

// The same of something that reads one record or event after the other: `next` is false at the end.
std::string read_until_damage(FunctionRef<bool()> next);

}  // namespace rill
