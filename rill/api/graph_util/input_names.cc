#include "rill/api/graph_util/input_names.h"

#include "rill/base/error.h"

namespace rill::graph_util {

std::string_view node_of(std::string_view input) {
  if (is_control(input)) return input.substr(1);
  return input.substr(0, input.find(':'));
}

int output_of(std::string_view input) {
  const std::size_t colon = input.find(':');
  long long index = 0;
  if (colon == std::string_view::npos) return 0;
  require(parse_int(input.substr(colon + 1), &index) && index >= 0 && index < (1 << 20), "'", input,
          "' is no name of a tensor");
  return static_cast<int>(index);
}

}  // namespace rill::graph_util
