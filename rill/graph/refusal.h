#pragma once

#include <string>
#include <tuple>
#include <utility>

#include "rill/base/error.h"

namespace rill {

// What a shape function throws where TensorFlow's kernels have other words than its shape
// functions. message() is what a step says, until adding the node to a graph makes it what that
// says.
class Refusal : public Error {
 public:
  Refusal(Error said, std::string when_run, std::string when_built, bool names_node)
      : Error(std::move(said)),
        when_run_(std::move(when_run)),
        when_built_(std::move(when_built)),
        names_node_(names_node) {}
  const std::string& when_run() const { return when_run_; }
  const std::string& when_built() const { return when_built_; }
  bool names_node() const { return names_node_; }  // whether the node belongs behind when_built()

 private:
  std::string when_run_, when_built_;
  bool names_node_;
};

template <class... Part>
struct WhenRun {
  std::tuple<const Part&...> parts;
};
template <class... Part>
struct WhenBuilt {
  std::tuple<const Part&...> parts;
  bool names_node = true;
};
template <class... Part>
WhenRun<Part...> when_run(const Part&... part) {
  return {{part...}};
}
template <class... Part>
WhenBuilt<Part...> when_built(const Part&... part) {
  return {{part...}};
}
template <class... Part>
WhenBuilt<Part...> when_built_alone(const Part&... part) {
  return {{part...}, false};
}

// Throws it unless `c` holds:
//
//   require(depth == wanted, when_run("Input depth ", depth, " is not ", wanted),
//           when_built("Dimensions must be equal, but are ", depth, " and ", wanted));
template <class... Run, class... Built>
void require(Check c, const WhenRun<Run...>& run, const WhenBuilt<Built...>& built) {
  if (c.ok) [[likely]]
    return;
  const auto text = [](const auto&... part) { return str_cat(part...); };
  const std::string said = std::apply(text, run.parts);
  throw Refusal(Error(Code::kInvalidArgument, said, c.at), said, std::apply(text, built.parts),
                built.names_node);
}

}  // namespace rill
