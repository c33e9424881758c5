#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rill::python {

// One parameter of a bound function: "use_locking: bool = False".
struct BoundParameter {
  std::string name;
  std::string type;  // without "| None"
  bool takes_none = false;
  bool has_default = false;
  bool by_position_only = false;
};

// The signature of a bound function as its binding writes it:
// "def join(self, threads: object | None = None, /) -> None".
struct BoundSignature {
  std::string function;
  std::vector<BoundParameter> parameters;
  bool takes_any = false;  // has *args or **kwargs
};

BoundSignature parse_bound_signature(std::string_view text);

}  // namespace rill::python
