#pragma once

#include <cstdint>
#include <string>

#include "rill/inspect/profiler/profiled_node.h"

namespace rill::profiler {

// Numbers as a profile shows them, in steps of 1000: "7.79k", "1.09KB", "33.61ms".
std::string count_text(std::int64_t count);
std::string bytes_text(std::int64_t bytes);
std::string micros_text(std::int64_t micros);
std::string dims_text(const Dims& dims);  // "3x4"; "unknown" where there are none
std::string shapes_text(const std::map<int, Dims>& shapes);  // "0:2x3|1:unknown"

}  // namespace rill::profiler
