#pragma once

#include <string>
#include <string_view>

namespace rill::cli {

// Why an op of TensorFlow is left out on purpose; "" for ops that are, or should be, there.
std::string_view set_aside_reason(std::string_view op, std::string_view family);

}  // namespace rill::cli
