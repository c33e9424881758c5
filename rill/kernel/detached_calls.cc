#include "rill/kernel/detached_calls.h"

#include "rill/base/error.h"

namespace rill {

std::shared_ptr<DetachedCalls> detach_calls(StepContext& step) {
  auto* session = dynamic_cast<DetachesCalls*>(step.functions);
  if (session == nullptr) raise(Code::kInternal, "no session runs that work could go on in");
  return session->detach();
}

}  // namespace rill
