#include "rill/inspect/debugger/source_lines.h"

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/text.h"

namespace rill::debugger {

std::vector<Frame> frames_of(const Node& node) {
  const OriginRef& origin = node.origin();
  if (origin == nullptr) return {};
  if (!origin->frames.empty() || !origin->place) return origin->frames;
  return {{origin->place->file_name(), origin->place->function_name(),
           static_cast<int>(origin->place->line())}};
}

std::string source_line(const std::string& path, int line) {
  try {
    const std::string text = read_file(path);
    int number = 1;
    for (const std::string_view one : split(text, '\n'))
      if (number++ == line) return std::string(strip(one));
  } catch (const Error&) {
  }
  return "None";
}

}  // namespace rill::debugger
