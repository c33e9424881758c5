#pragma once

#include <condition_variable>
#include <mutex>

#include "rill/base/function_ref.h"
#include "rill/ops/data/core/data_iterator.h"
#include "rill/ops/data/core/stage_clock.h"

namespace rill {

// What one request of an iterator for the next element came to.
struct StageResult {
  Element element;
  bool ended = false;
  std::exception_ptr error;

  // Gives it to who asked: throws the error, or returns whether there is an element.
  bool hand_over(Element& to);
};

StageResult next_result(DataIterator& iterator);
// Sets the result to what `make` does: true when there is an element.
StageResult result_of(FunctionRef<bool(Element&)> make);

void put_result(StateWriter& state, std::string_view key, const StageResult& result);
StageResult result_in(const StateReader& state, std::string_view key);

// What making an element costs lately. Where that is less than handing the element from thread to
// thread, who asks for it had better make it.
class ElementCost {
 public:
  void note(std::int64_t begin_nanos);  // of one that is made now
  bool is_below_hand_over() const;

 private:
  std::int64_t count_ = 0, average_nanos_ = 0;
};

// What a stage that works in the background shares with its workers: those end when there is
// nothing to do, and may outlive the iterator, but then they end with what they are at. Iterators
// are never destroyed with the lock held.
class StageWork : public std::enable_shared_from_this<StageWork> {
 public:
  explicit StageWork(PipelineRef pipeline) : pipeline_(std::move(pipeline)) {}
  virtual ~StageWork() = default;
  StageWork(const StageWork&) = delete;
  StageWork& operator=(const StageWork&) = delete;

 protected:
  using Lock = std::unique_lock<std::mutex>;

  // A worker's life: called with the lock held, on a background thread. Must not throw.
  virtual void work(Lock& lock) = 0;

  // The following are called with the lock held.
  void add_worker();
  bool may_go_on() const { return !stopped_ && resting_ == 0 && !pipeline_->cancelled(); }
  // Until `ready` or until the pipeline is stopped: then throws Cancelled.
  template <class Ready>
  void wait(Lock& lock, const Ready& ready) {
    const StageClock::Idle idle;
    changed_.wait(lock, [&] { return ready() || pipeline_->cancelled(); });
    if (!ready()) pipeline_->check_running();
  }

  // While there is one, no worker is at work; for looking at everything.
  class Rest {
   public:
    explicit Rest(StageWork& work);
    ~Rest();
    Rest(const Rest&) = delete;
    Rest& operator=(const Rest&) = delete;

   private:
    StageWork& work_;
  };

  const PipelineRef pipeline_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int workers_ = 0;

 private:
  template <class W>
  friend class StageOwner;
  void stop();
  void wake();

  bool stopped_ = false;
  int resting_ = 0;
};

// An iterator's hold on its StageWork.
template <class W>
class StageOwner {
 public:
  template <class... Part>
  explicit StageOwner(const PipelineRef& pipeline, Part&&... part)
      : pipeline_(pipeline), work_(std::make_shared<W>(pipeline, std::forward<Part>(part)...)) {
    token_ = pipeline_->cancellation().on_cancel([weak = std::weak_ptr<StageWork>(work_)] {
      if (const auto alive = weak.lock()) alive->wake();
    });
  }
  ~StageOwner() {
    work_->stop();
    pipeline_->cancellation().forget(token_);
  }
  StageOwner(const StageOwner&) = delete;
  StageOwner& operator=(const StageOwner&) = delete;

  W* operator->() const { return work_.get(); }

 private:
  const PipelineRef pipeline_;
  const std::shared_ptr<W> work_;
  std::int64_t token_ = 0;
};

// How many calls at a time the user asked for; -1: as many as the pipeline has threads.
inline constexpr std::int64_t kAutotune = -1;
int worker_count(std::int64_t asked_for, const Pipeline& pipeline);

}  // namespace rill
