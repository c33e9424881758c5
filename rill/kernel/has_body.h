#pragma once

#include "rill/graph/function_body.h"
#include "rill/kernel/step_context.h"

namespace rill {

// What a BoundFunction may be besides: one whose nodes can be looked at.
class HasBody {
 public:
  virtual ~HasBody() = default;
  virtual const FunctionBody& body() const = 0;
  // Whether a call may do what the nodes do without running them: nobody watches them in this step.
  virtual bool may_skip_nodes(const StepContext& step) const = 0;
};

}  // namespace rill
