#include <algorithm>

#include "rill/ops/data/core/branch_work.h"
#include "rill/ops/data/core/dataset_kernel.h"

namespace rill {

extern const OpDecl kExperimentalParallelInterleaveDataset, kParallelInterleaveDataset,
    kParallelInterleaveDatasetV2;

namespace {

// The order is that of InterleaveDataset, but that an error counts as an element of its block.
class CycleOrder final : public BranchWork {
 public:
  using BranchWork::BranchWork;

  bool take(Element& element) override {
    Lock lock(mutex_);
    wake_worker();
    while (true) {
      if (turn_ >= cycle_.size() && !make_room(lock)) {
        if (!any_open()) return false;
        turn_ = 0;
      }
      if (!sizes_.in_order) turn_to_ready();
      BranchRef& place = cycle_[turn_];
      if (place == nullptr && (place = prepared(lock)) == nullptr) {
        if (!any_open()) return false;
        turn_over();
        continue;
      }
      const BranchRef branch = cycle_[turn_];
      await(lock, branch);
      if (!branch->buffer.empty()) {
        StageResult result = pop(lock, *branch);
        if (branch->never_began) {
          cycle_[turn_] = nullptr;
        } else if (++in_block_ == sizes_.block) {
          turn_over();
        }
        lock.unlock();
        return result.hand_over(element);
      }
      cycle_[turn_] = nullptr;
      turn_over();
    }
  }

 private:
  bool any_open() const {
    return input_ != nullptr || pulling_ || !prepared_.empty() ||
           std::ranges::any_of(cycle_, [](const BranchRef& branch) { return branch != nullptr; });
  }

  // A place that is visited for the first time; there is none when nothing is left to put there.
  bool make_room(Lock& lock) {
    wait(lock, [this] { return !prepared_.empty() || !pulling_; });
    if (prepared_.empty() && input_ == nullptr) return false;
    cycle_.resize(turn_ + 1);
    return true;
  }

  // The next branch that was not yet in the cycle; null when there is none.
  BranchRef prepared(Lock& lock) {
    wait(lock, [this] { return !prepared_.empty() || !pulling_; });
    if (prepared_.empty()) return input_ == nullptr ? nullptr : pull(lock, false);
    BranchRef branch = std::move(prepared_.front());
    prepared_.pop_front();
    wake_worker();
    return branch;
  }

  void turn_to_ready() {
    for (std::size_t i = 0; i < cycle_.size(); ++i) {
      const std::size_t at = (turn_ + i) % cycle_.size();
      if (cycle_[at] == nullptr || cycle_[at]->buffer.empty()) continue;
      if (at != turn_) in_block_ = 0;
      turn_ = at;
      return;
    }
  }

  void turn_over() {
    in_block_ = 0;
    turn_ = (turn_ + 1) % static_cast<std::size_t>(sizes_.cycle);
  }
};

// A branch that has ended is replaced by the one that was prepared first, and its turn is over.
class ReplacingOrder final : public BranchWork {
 public:
  using BranchWork::BranchWork;

  bool take(Element& element) override {
    Lock lock(mutex_);
    begin(lock);
    while (true) {
      wake_worker();
      bool changed = false, producing = false;
      for (std::size_t i = 0; i < cycle_.size() && !changed; ++i) {
        const std::size_t at = (turn_ + i) % cycle_.size();
        const BranchRef branch = cycle_[at];
        if (branch == nullptr) continue;
        if (sizes_.in_order) await(lock, branch);
        if (!branch->buffer.empty()) return give(lock, at, i, element);
        if (branch->ended && !branch->busy) {
          changed = replace(lock, at);
        } else {
          producing = true;
        }
      }
      if (changed) continue;
      if (!producing) return false;
      wait(lock, [this] { return std::ranges::any_of(cycle_, has_news); });
    }
  }

 private:
  static bool has_news(const BranchRef& branch) {
    return branch != nullptr && (!branch->buffer.empty() || (branch->ended && !branch->busy));
  }

  void begin(Lock& lock) {
    if (std::exchange(began_, true)) return;
    for (std::int64_t i = 0; i < sizes_.cycle + sizes_.ahead && input_ != nullptr; ++i) {
      BranchRef branch = pull(lock, false);
      if (branch == nullptr) break;
      if (i < sizes_.cycle) {
        cycle_.push_back(std::move(branch));
      } else {
        prepared_.push_back(std::move(branch));
      }
      wake_worker();
    }
  }

  bool give(Lock& lock, std::size_t at, std::size_t distance, Element& element) {
    turn_ = at;  // a place that was left empty does not begin a new block
    const bool out_of_order = !sizes_.in_order && distance > 1;
    if (out_of_order) {
      in_block_ = 0;
    } else if (++in_block_ == sizes_.block) {
      turn_ = (at + 1) % cycle_.size();
      in_block_ = 0;
    }
    StageResult result = pop(lock, *cycle_[at]);
    lock.unlock();
    return result.hand_over(element);
  }

  // True when another branch has come to this place.
  bool replace(Lock& lock, std::size_t at) {
    cycle_[at] = nullptr;
    if (input_ != nullptr)
      if (BranchRef branch = pull(lock, false)) prepared_.push_back(std::move(branch));
    if (prepared_.empty()) return false;
    cycle_[at] = std::move(prepared_.front());
    prepared_.pop_front();
    turn_ = (at + 1) % cycle_.size();
    in_block_ = 0;
    return true;
  }
};

template <class Order>
class ParallelInterleaveDataset final : public Dataset {
 public:
  ParallelInterleaveDataset(ElementSpec spec, DatasetRef input, FunctionSource function,
                            BranchWork::Sizes sizes)
      : Dataset(std::move(spec)),
        input_(std::move(input)),
        function_(std::move(function)),
        sizes_(sizes) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }

 private:
  class Iterator final : public IteratorOf<ParallelInterleaveDataset> {
   public:
    Iterator(const ParallelInterleaveDataset& dataset, const PipelineRef& pipeline)
        : IteratorOf<ParallelInterleaveDataset>(dataset, pipeline),
          work_(pipeline, dataset.input_->iterate(pipeline), dataset.function_,
                dataset.sizes_in(*pipeline)) {}
    bool produce(Element& element) override { return work_->take(element); }
    bool would_wait() const override { return true; }
    void save_stage(StateWriter& state) const override { work_->save(state); }
    void restore_stage(const StateReader& state) override { work_->restore(state); }

   private:
    const StageOwner<Order> work_;
  };

  BranchWork::Sizes sizes_in(const Pipeline& pipeline) const {
    BranchWork::Sizes sizes = sizes_;
    sizes.workers = worker_count(sizes.workers, pipeline);
    return sizes;
  }

  const DatasetRef input_;
  const FunctionSource function_;
  const BranchWork::Sizes sizes_;
};

constexpr std::int64_t kMaxBuffered = 1 << 20;

std::shared_ptr<Dataset> parallel_interleave_v2(KernelCall& call) {
  const KernelNode& node = call.node();
  const int captured = list_length(node, "Targuments");
  auto cycle = scalar_input<std::int64_t>(call, 1 + captured, "cycle_length");
  const auto block = scalar_input<std::int64_t>(call, 2 + captured, "block_length");
  const auto calls = scalar_input<std::int64_t>(call, 3 + captured, "num_parallel_calls");
  if (cycle == kAutotune) cycle = default_threads();
  require(cycle > 0, "`cycle_length` must be > 0");
  require(block > 0, "`block_length` must be > 0");
  require(calls > 0 || calls == kAutotune, "num_parallel_calls must be greater than zero.");
  require(calls <= cycle, "num_parallel_calls must less than or equal to cycle_length.");
  const std::int64_t workers = calls == kAutotune ? kAutotune : std::min<std::int64_t>(calls, 1024);
  return std::make_shared<ParallelInterleaveDataset<CycleOrder>>(
      stated_spec(node), dataset_input(call, 0), function_input(call, "f", 1, captured),
      BranchWork::Sizes{.cycle = cycle,
                        .block = block,
                        .ahead = std::min<std::int64_t>(cycle, 16),
                        .buffer = static_cast<std::size_t>(std::clamp<std::int64_t>(
                            2 * std::min(block, kMaxBuffered), 16, kMaxBuffered)),
                        .workers = static_cast<int>(workers),
                        .in_order = !node.attr<bool>("sloppy"),
                        .pulls_ahead = true});
}

std::shared_ptr<Dataset> parallel_interleave(KernelCall& call) {
  const KernelNode& node = call.node();
  const int captured = list_length(node, "Targuments");
  const auto number = [&](int i, const char* name) {
    return scalar_input<std::int64_t>(call, i + captured, name);
  };
  const std::int64_t cycle = number(1, "cycle_length"), block = number(2, "block_length"),
                     buffer = number(4, "buffer_output_elements"),
                     ahead = number(5, "prefetch_input_elements");
  require(cycle > 0, "`cycle_length` must be > 0");
  require(block > 0, "`block_length` must be > 0");
  require(buffer > 0, "`buffer_output_elements` must be > 0");
  require(ahead >= 0, "`prefetch_input_elements` must be >= 0");
  return std::make_shared<ParallelInterleaveDataset<ReplacingOrder>>(
      stated_spec(node), dataset_input(call, 0), function_input(call, "f", 1, captured),
      BranchWork::Sizes{.cycle = cycle,
                        .block = block,
                        .ahead = ahead,
                        .buffer = static_cast<std::size_t>(std::min(buffer, kMaxBuffered)),
                        .workers = static_cast<int>(std::min<std::int64_t>(cycle, 512) +
                                                    std::min<std::int64_t>(ahead, 512)),
                        .in_order = !scalar_input<bool>(call, 3 + captured, "sloppy"),
                        .pulls_ahead = false});
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<parallel_interleave_v2>(kParallelInterleaveDatasetV2),
    dataset_kernel<parallel_interleave>(kParallelInterleaveDataset),
    dataset_kernel<parallel_interleave>(kExperimentalParallelInterleaveDataset),
};

}  // namespace

extern const KernelTable kParallelInterleaveDatasetCpu{kEntries};

}  // namespace rill
