#include "rill/serve/batch/batching.h"

#include <mutex>

#include "rill/serve/batch/scheduler.h"

namespace rill::serve {
namespace {

// Of one version of a model. It outlives its tasks, since each of them holds on to the model.
class BatchingRunner : public StepRunner {
 public:
  BatchingRunner(std::shared_ptr<BatchScheduler> scheduler, const BatchingOptions& options)
      : scheduler_(std::move(scheduler)), member_(scheduler_->add_member(options)) {}
  ~BatchingRunner() override { scheduler_->remove_member(member_); }

  void run(const CompiledStepRef& step, std::vector<Tensor> feeds, const RequestLimits& limits,
           TensorsDone done) override {
    if (feeds.empty()) return direct_.run(step, std::move(feeds), limits, std::move(done));
    BatchTask task{.feeds = std::move(feeds), .limits = limits, .done = std::move(done)};
    try {
      task.rows = batch_rows(task.feeds);
      if (task.rows > 0) return scheduler_->add(queue_of(step), task);
    } catch (...) {
      return task.done({}, current_error());
    }
    direct_.run(step, std::move(task.feeds), limits, std::move(task.done));
  }

 private:
  BatchScheduler::QueueRef queue_of(const CompiledStepRef& step) {
    const std::lock_guard lock(mutex_);
    auto& queue = queues_[step.get()];
    if (queue == nullptr) queue = scheduler_->add_queue(member_, *step);
    return queue;
  }

  const std::shared_ptr<BatchScheduler> scheduler_;
  const BatchScheduler::MemberRef member_;
  DirectRunner direct_;
  std::mutex mutex_;
  std::map<const CompiledStep*, BatchScheduler::QueueRef> queues_;
};

BatchingOptions counted(BatchingOptions options, const ServableId& id) {
  if (options.metrics != nullptr) options.of_model = &options.metrics->batching(id.name);
  return options;
}

}  // namespace

std::function<std::unique_ptr<StepRunner>(const ServableId&)> batching_runners(
    const BatchingOptions& options) {
  check(options);
  return [options, scheduler = std::make_shared<BatchScheduler>(options)](const ServableId& id) {
    return std::make_unique<BatchingRunner>(scheduler, counted(options, id));
  };
}

std::function<std::unique_ptr<StepRunner>(const ServableId&, const std::string&)>
batching_runners_by_version(const BatchingOptions& shared) {
  check(shared);
  return [shared, scheduler = std::make_shared<BatchScheduler>(shared)](
             const ServableId& id, const std::string& version_directory) {
    return std::make_unique<BatchingRunner>(
        scheduler, counted(batching_options_of(version_directory, shared), id));
  };
}

}  // namespace rill::serve
