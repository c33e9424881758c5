#include <deque>

#include "rill/base/clock.h"
#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/data/core/stage_stats.h"
#include "rill/ops/data/core/stage_work.h"

namespace rill {

extern const OpDecl kPrefetchDataset;

namespace {

constexpr std::size_t kMaxByItself = 512;  // elements, where the stage chooses

// Brings the parts of an element into the memory of a device.
void move_to(Allocator& memory, StageResult& result) {
  if (result.ended || result.error != nullptr) return;
  try {
    for (Tensor& part : result.element)
      if (is_trivial(part.dtype()) && part.memory_kind() != memory.kind())
        part = part.copied_to(memory);
  } catch (...) {
    result.error = std::current_exception();
  }
}

StageResult on_host(StageResult result) {
  for (Tensor& part : result.element) part = part.on_host();
  return result;
}

// Filled by one worker, which ends when the buffer is full and is started anew as soon as an
// element has been taken: programs may wait until the buffer is full again.
class Prefetch final : public StageWork {
 public:
  Prefetch(PipelineRef pipeline, const Dataset& dataset, std::unique_ptr<DataIterator> input,
           std::int64_t size, Allocator* memory)
      : StageWork(std::move(pipeline)),
        input_(std::move(input)),
        memory_(memory),
        stats_(dataset, *pipeline_),
        chooses_(size == kAutotune),
        limit_(chooses_ ? 2 : static_cast<std::size_t>(size)) {}

  bool take(Element& element) {
    Lock lock(mutex_);
    learn();
    fill();
    wait(lock, [this] { return !buffer_.empty() || workers_ == 0; });
    if (buffer_.empty()) return !ended_ && take_at_once(lock, element);
    if (stats_) report(buffer_.size());
    StageResult result = std::move(buffer_.front());
    buffer_.pop_front();
    fill();
    lock.unlock();
    return result.hand_over(element);
  }

  bool would_wait() const {
    const std::lock_guard lock(mutex_);
    if (!buffer_.empty()) return false;
    return workers_ > 0 || !cost_.is_below_hand_over() || input_->would_wait();
  }

  void save(StateWriter& state) {
    const Rest rest(*this);
    state.put("input", input_);
    state.put("ended", std::int64_t{ended_});
    state.put("limit", static_cast<std::int64_t>(limit_));
    state.put("buffered", static_cast<std::int64_t>(buffer_.size()));
    for (std::size_t i = 0; i < buffer_.size(); ++i)
      put_result(state, str_cat(i), on_host(buffer_[i]));
  }

  void restore(const StateReader& state) {
    const Rest rest(*this);
    state.restore("input", *input_);
    ended_ = state.integer("ended") != 0;
    if (chooses_) limit_ = static_cast<std::size_t>(state.integer("limit", kMaxByItself));
    buffer_.clear();
    const std::int64_t buffered = state.integer("buffered");
    for (std::int64_t i = 0; i < buffered; ++i) buffer_.push_back(result_in(state, str_cat(i)));
  }

 private:
  void work(Lock& lock) override {
    while (may_go_on() && has_room()) {
      lock.unlock();
      const std::int64_t begin = monotonic_nanos();
      StageResult result = next_result(*input_);
      if (memory_ != nullptr) move_to(*memory_, result);
      lock.lock();
      cost_.note(begin);
      ended_ = result.ended;
      if (!ended_) buffer_.push_back(std::move(result));
      changed_.notify_all();
    }
  }

  // Of an element that is taken while there are so many.
  void report(std::size_t buffered) {
    const auto size = static_cast<double>(buffered), limit = static_cast<double>(limit_);
    ++taken_;
    stats_.histogram("buffer_utilization", size / limit, taken_);
    stats_.scalar("buffer_size", size, taken_);
    stats_.scalar("buffer_capacity", limit, taken_);
  }

  bool has_room() const {
    return !ended_ && buffer_.size() < limit_ && !cost_.is_below_hand_over();
  }
  void fill() {
    if (workers_ == 0 && has_room()) add_worker();
  }

  // Without a worker.
  bool take_at_once(Lock& lock, Element& element) {
    lock.unlock();
    const std::int64_t begin = monotonic_nanos();
    StageResult result = next_result(*input_);
    lock.lock();
    cost_.note(begin);
    ended_ = result.ended;
    if (stats_ && !ended_) report(0);
    lock.unlock();
    return result.hand_over(element);
  }

  // A buffer that was full and then ran empty was too small for how unevenly its elements come.
  void learn() {
    if (!chooses_) return;
    if (buffer_.size() >= limit_) {
      was_full_ = true;
    } else if (buffer_.empty() && was_full_ && limit_ < kMaxByItself) {
      limit_ *= 2;
      was_full_ = false;
    }
  }

  std::unique_ptr<DataIterator> input_;
  Allocator* const memory_;  // where the elements wait; nullptr: where they are made
  const StageStats stats_;
  std::int64_t taken_ = 0;  // where that is reported
  const bool chooses_;
  std::size_t limit_;
  bool was_full_ = false, ended_ = false;
  ElementCost cost_;
  std::deque<StageResult> buffer_;
};

class PrefetchDataset final : public Dataset {
 public:
  PrefetchDataset(ElementSpec spec, DatasetRef input, std::int64_t size, Allocator* memory)
      : Dataset(std::move(spec)), input_(std::move(input)), buffer_size_(size), memory_(memory) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    if (buffer_size_ == 0) return input_->iterate(pipeline);
    return std::make_unique<Iterator>(*this, pipeline);
  }
  std::int64_t size() const override { return input_->size(); }

 private:
  class Iterator final : public IteratorOf<PrefetchDataset> {
   public:
    Iterator(const PrefetchDataset& dataset, const PipelineRef& pipeline)
        : IteratorOf(dataset, pipeline),
          work_(pipeline, dataset, dataset.input_->iterate(pipeline), dataset.buffer_size_,
                dataset.memory_) {}
    bool produce(Element& element) override { return work_->take(element); }
    bool would_wait() const override { return work_->would_wait(); }
    void save_stage(StateWriter& state) const override { work_->save(state); }
    void restore_stage(const StateReader& state) override { work_->restore(state); }

   private:
    const StageOwner<Prefetch> work_;
  };
  const DatasetRef input_;
  const std::int64_t buffer_size_;
  Allocator* const memory_;
};

std::shared_ptr<Dataset> prefetch_dataset(KernelCall& call) {
  const std::int64_t size = scalar_input<std::int64_t>(call, 1, "buffer_size");
  require(size >= 0 || size == kAutotune,
          "buffer_size must be >= 0 or set buffer_size to be tf.data.AUTOTUNE for auto-tuning");
  return std::make_shared<PrefetchDataset>(stated_spec(call.node()), dataset_input(call, 0), size,
                                           device_memory(call));
}

constexpr KernelEntry kEntries[] = {
    on_any_device(dataset_kernel<prefetch_dataset>(kPrefetchDataset))};

}  // namespace

extern const KernelTable kPrefetchDatasetCpu{kEntries};

}  // namespace rill
