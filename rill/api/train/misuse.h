#pragma once

#include "rill/base/error.h"

namespace rill::train {

// An object was used in a way that it does not allow, as opposed to a step that failed: Python's
// RuntimeError or, where a value was wrong (InvalidArgument), ValueError.
class Misuse : public Error {
 public:
  using Error::Error;
};

template <class... Part>
[[noreturn]] void misuse(CodeAt c, const Part&... part) {
  throw Misuse(c.code, str_cat(part...), c.at);
}

}  // namespace rill::train
