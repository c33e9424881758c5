#include "rill/ops/data/core/step_pipeline.h"

#include "rill/base/background.h"

namespace rill {

void run_with_pipeline(KernelCall& call, Done done,
                       std::function<void(KernelCall&, const PipelineRef&)> body) {
  auto pipeline = std::make_shared<Pipeline>(make_background_calls(call.step()));
  run_in_background(
      [&call, done = std::move(done), body = std::move(body), pipeline = std::move(pipeline)] {
        Cancellation& step = *call.step().cancellation;
        const std::int64_t token = step.on_cancel([pipeline] { pipeline->stop(); });
        std::exception_ptr error;
        try {
          body(call, pipeline);
        } catch (...) {
          error = std::make_exception_ptr(current_error());
        }
        step.forget(token);
        pipeline->stop();
        done(error);
      });
}

}  // namespace rill
