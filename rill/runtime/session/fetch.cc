#include "rill/runtime/session/fetch.h"

#include "rill/base/error.h"

namespace rill {

Feed::Feed(Output to, const Input& given) : target(std::move(to)) {
  require(target.node != nullptr, "the target of a feed is empty");
  require_type(given.is_value(),
               "The value of a feed cannot be a tensor of the graph: run it first, and feed what "
               "that gives. It is for ",
               target);
  value = given.value(base_type(target.dtype()));
}

}  // namespace rill
