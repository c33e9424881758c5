#pragma once

#include <span>
#include <string>

namespace rill::cli {

// Becomes a Python that finds this Rill, and its `tensorflow`: RILL_PYTHON, the checkout's own, or
// the system's. Returns only by throwing, when there is no such program.
[[noreturn]] void become_python(std::span<const std::string> arguments);

// Becomes a tool of the package: `python -m MODULE ARGUMENT...`.
[[noreturn]] void become_tool(const std::string& module, std::span<const std::string> arguments);

}  // namespace rill::cli
