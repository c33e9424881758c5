#pragma once

#include "rill/base/error.h"
#include "rill/graph/op.h"

namespace rill {

// What a shape function throws for values that only running can refuse: a node with these shapes is
// added all the same, and the step that runs it fails.
class RunTimeError : public Error {
 public:
  RunTimeError(Error error, Shapes shapes) : Error(std::move(error)), shapes_(std::move(shapes)) {}
  const Shapes& shapes() const { return shapes_; }

 private:
  Shapes shapes_;
};

// Throws it unless `c` holds.
template <class... Part>
void require_when_run(Check c, const Shapes& shapes, const Part&... part) {
  if (!c.ok) [[unlikely]]
    throw RunTimeError(Error(Code::kInvalidArgument, str_cat(part...), c.at), shapes);
}

}  // namespace rill
