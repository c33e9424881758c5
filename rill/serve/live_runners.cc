#include "rill/serve/live_runners.h"

#include <vector>

namespace rill::serve {

class LiveRunners::Following : public StepRunner {
 public:
  Following(std::shared_ptr<Source> source, ServableId id)
      : source_(std::move(source)), id_(std::move(id)) {
    follow();
  }
  void run(const CompiledStepRef& step, std::vector<Tensor> feeds, const RequestLimits& limits,
           TensorsDone done) override {
    if (generation_.load(std::memory_order_relaxed) !=
        source_->generation.load(std::memory_order_relaxed))
      follow();
    current_.load(std::memory_order_acquire)->run(step, std::move(feeds), limits, std::move(done));
  }

 private:
  void follow() {
    const std::lock_guard lock(source_->mutex);
    if (generation_ == source_->generation) return;
    // Those before stay, since something may wait in them.
    runners_.push_back(source_->make(id_));
    current_.store(runners_.back().get(), std::memory_order_release);
    generation_ = source_->generation.load();
  }

  const std::shared_ptr<Source> source_;
  const ServableId id_;
  std::vector<std::unique_ptr<StepRunner>> runners_;  // guarded by the source's mutex
  std::atomic<StepRunner*> current_ = nullptr;
  std::atomic<std::int64_t> generation_ = -1;
};

LiveRunners::LiveRunners(MakeRunner make) : source_(std::make_shared<Source>()) {
  source_->make = std::move(make);
}

MakeRunner LiveRunners::make() {
  return [source = source_](const ServableId& id) -> std::unique_ptr<StepRunner> {
    return std::make_unique<Following>(source, id);
  };
}

void LiveRunners::set(MakeRunner make) {
  const std::lock_guard lock(source_->mutex);
  source_->make = std::move(make);
  ++source_->generation;
}

}  // namespace rill::serve
