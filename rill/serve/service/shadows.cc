#include "rill/serve/service/shadows.h"

#include "rill/base/background.h"
#include "rill/base/clock.h"

namespace rill::serve {
namespace {

constexpr int kMostShadows = 64;
constexpr std::int64_t kShadowNanos = 10'000'000'000;  // that a shadow may take

}  // namespace

void Shadows::ask(ServerCore& core, const serving::Shadow& shadow, Metrics* metrics,
                  const Question& question) {
  begin(core, shadow, metrics, [&] {
    return [question](const ModelServable& model, const RequestLimits& limits, const Done& done) {
      predict(model, question, limits,
              [done](const std::map<std::string, Tensor>&, const std::optional<Error>& error) {
                done(error);
              });
    };
  });
}

void Shadows::begin(ServerCore& core, const serving::Shadow& shadow, Metrics* metrics,
                    const std::function<AskModel()>& copy) {
  ModelMetrics* const counts = metrics == nullptr ? nullptr : &metrics->model(shadow.model_name());
  {
    const std::lock_guard lock(mutex_);
    if (running_ >= kMostShadows) {
      if (counts != nullptr) counts->shadows_lost.add();
      return;
    }
    ++running_;
  }
  const auto finish = [this, counts](const std::optional<Error>& error) {
    if (counts != nullptr) (error ? counts->shadows_bad : counts->shadows_good).add();
    end();
  };
  try {
    run_in_background([&core, shadow, ask = copy(), finish] {
      try {
        messages::ModelSpec spec;
        spec.set_name(shadow.model_name());
        if (shadow.version() > 0) spec.mutable_version()->set_value(shadow.version());
        const Handle handle = core.find(spec);
        RequestLimits limits;
        limits.deadline_nanos = monotonic_nanos() + kShadowNanos;
        ask(handle.as<ModelServable>(), limits,
            [handle, finish](const std::optional<Error>& error) { finish(error); });
      } catch (...) {
        finish(current_error());
      }
    });
  } catch (...) {  // no memory for a copy, no thread
    finish(current_error());
  }
}

void Shadows::end() {
  const std::lock_guard lock(mutex_);
  if (--running_ == 0) changed_.notify_all();
}

void Shadows::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return running_ == 0; });
}

}  // namespace rill::serve
