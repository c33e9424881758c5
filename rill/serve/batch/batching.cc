#include "rill/serve/batch/batching.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <list>
#include <mutex>
#include <thread>

#include "rill/serve/batch/batch.h"

namespace rill::serve {
namespace {

using Clock = std::chrono::steady_clock;

struct Batch {
  std::vector<BatchTask> tasks;
  std::int64_t rows = 0;
  Clock::time_point leaves;  // at the latest
};

// What waits for one kind of step of one version of a model; the last batch still grows.
struct Queue {
  StepRef step;
  std::deque<Batch> batches;
};

// Threads that take batches from the queues in turn.
class Scheduler {
 public:
  explicit Scheduler(const BatchingOptions& options) : options_(options) {
    const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    const auto count = options.num_batch_threads > 0 ? options.num_batch_threads : cores;
    for (std::int64_t i = 0; i < count; ++i) threads_.emplace_back([this] { work(); });
  }
  ~Scheduler() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  const BatchingOptions& options() const { return options_; }

  using QueueRef = std::list<Queue>::iterator;
  QueueRef add_queue(const StepRef& step) {
    const std::lock_guard lock(mutex_);
    return queues_.insert(queues_.end(), Queue{step, {}});
  }
  void remove_queue(QueueRef queue) {
    const std::lock_guard lock(mutex_);
    if (next_ == queue) ++next_;
    queues_.erase(queue);
  }

  // Throws Unavailable when too many wait already; the task is then untouched.
  void add(QueueRef queue, BatchTask& task) {
    {
      const std::lock_guard lock(mutex_);
      auto& batches = queue->batches;
      if (batches.empty() || batches.back().rows + task.rows > options_.max_batch_size) {
        if (static_cast<std::int64_t>(batches.size()) >= options_.max_enqueued_batches)
          raise(Code::kUnavailable,
                "The batch scheduling queue to which this task was submitted is full");
        batches.push_back(
            {.leaves = Clock::now() + std::chrono::microseconds(options_.batch_timeout_micros)});
      }
      batches.back().rows += task.rows;
      batches.back().tasks.push_back(std::move(task));
    }
    changed_.notify_one();
  }

 private:
  bool may_leave(const Queue& queue, Clock::time_point now) const {
    if (queue.batches.empty()) return false;
    const Batch& first = queue.batches.front();
    return queue.batches.size() > 1 || first.rows >= options_.max_batch_size || first.leaves <= now;
  }

  // The next queue in turn that has a batch to run.
  QueueRef find_ready(Clock::time_point now) {
    for (std::size_t i = 0; i < queues_.size(); ++i) {
      if (next_ == queues_.end()) next_ = queues_.begin();
      const QueueRef queue = next_++;
      if (may_leave(*queue, now)) return queue;
    }
    return queues_.end();
  }

  void work() {
    std::unique_lock lock(mutex_);
    while (!stopping_) {
      const QueueRef queue = find_ready(Clock::now());
      if (queue == queues_.end()) {
        wait(lock);
        continue;
      }
      const Step* const step = queue->step.get();  // its tasks hold the model that has it
      Batch batch = std::move(queue->batches.front());
      queue->batches.pop_front();
      lock.unlock();
      run_batch(*step, std::move(batch.tasks), options_);
      lock.lock();
    }
  }

  // Until something comes, or the first batch has waited long enough.
  void wait(std::unique_lock<std::mutex>& lock) {
    auto until = Clock::time_point::max();
    for (const Queue& queue : queues_)
      if (!queue.batches.empty()) until = std::min(until, queue.batches.front().leaves);
    if (until == Clock::time_point::max())
      changed_.wait(lock);
    else
      changed_.wait_until(lock, until);
  }

  const BatchingOptions options_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Queue> queues_;
  QueueRef next_ = queues_.end();
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

// Of one version of a model. It outlives its tasks, since each of them holds on to the model.
class BatchingRunner : public StepRunner {
 public:
  explicit BatchingRunner(std::shared_ptr<Scheduler> scheduler)
      : scheduler_(std::move(scheduler)) {}
  ~BatchingRunner() override {
    for (const auto& [step, queue] : queues_) scheduler_->remove_queue(queue);
  }

  void run(const StepRef& step, std::vector<Tensor> feeds, const RequestLimits& limits,
           TensorsDone done) override {
    if (feeds.empty()) return direct_.run(step, std::move(feeds), limits, std::move(done));
    BatchTask task{.feeds = std::move(feeds), .limits = limits, .done = std::move(done)};
    try {
      task.rows = batch_rows(task.feeds);
      const std::int64_t most = scheduler_->options().max_batch_size;
      require(task.rows <= most, "Task size ", task.rows, " is larger than maximum batch size ",
              most);
      if (task.rows > 0) return scheduler_->add(queue_of(step), task);
    } catch (...) {
      return task.done({}, current_error());
    }
    direct_.run(step, std::move(task.feeds), limits, std::move(task.done));
  }

 private:
  Scheduler::QueueRef queue_of(const StepRef& step) {
    const std::lock_guard lock(mutex_);
    const auto found = queues_.find(step.get());
    if (found != queues_.end()) return found->second;
    return queues_.emplace(step.get(), scheduler_->add_queue(step)).first->second;
  }

  const std::shared_ptr<Scheduler> scheduler_;
  DirectRunner direct_;
  std::mutex mutex_;
  std::map<const Step*, Scheduler::QueueRef> queues_;
};

}  // namespace

std::function<std::unique_ptr<StepRunner>(const ServableId&)> batching_runners(
    const BatchingOptions& options) {
  check(options);
  return [scheduler = std::make_shared<Scheduler>(options)](const ServableId&) {
    return std::make_unique<BatchingRunner>(scheduler);
  };
}

}  // namespace rill::serve
