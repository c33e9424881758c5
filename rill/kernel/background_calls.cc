#include "rill/kernel/background_calls.h"

#include "rill/base/error.h"

namespace rill {

std::shared_ptr<BackgroundCalls> make_background_calls(StepContext& step) {
  auto* session = dynamic_cast<BackgroundCallsMaker*>(step.functions);
  if (session == nullptr) raise(Code::kInternal, "no session runs that work could go on in");
  return session->make_background_calls();
}

}  // namespace rill
