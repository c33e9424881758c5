#include <algorithm>
#include <deque>

#include "rill/base/thread_limit.h"
#include "rill/ops/data/core/batch_in_making.h"
#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/data/core/stage_stats.h"
#include "rill/ops/data/core/stage_work.h"

namespace rill {

extern const OpDecl kExperimentalMapAndBatchDataset, kMapAndBatchDataset;

namespace {

struct BatchSizes {
  std::int64_t batch, calls;
  bool drop_remainder, keeps_size;
};

// Workers pull elements one after the other; each knows its row before the function is called, and
// the result is written there.
class MapAndBatch final : public StageWork {
 public:
  MapAndBatch(PipelineRef pipeline, const Dataset& dataset, std::unique_ptr<DataIterator> input,
              const FunctionSource& function, const BatchSizes& sizes)
      : StageWork(std::move(pipeline)),
        stats_(dataset, *pipeline_, function.function.name, worker_count(sizes.calls, *pipeline_)),
        sizes_(sizes),
        function_(*pipeline_, function),
        width_(worker_count(sizes.calls, *pipeline_)),
        max_batches_(static_cast<std::size_t>((width_ - 1) / sizes.batch + 2)),
        input_(std::move(input)) {}

  bool take(Element& element) {
    while (!over_) {
      Lock lock(mutex_);
      grow();
      wait(lock, [this] { return is_ready(); });
      if (stats_) stats_.scalar("thread_utilization", static_cast<double>(workers_) / width_, 0);
      if (batches_.empty()) return false;
      const std::unique_ptr<PendingBatch> batch = std::move(batches_.front());
      batches_.pop_front();
      grow();
      lock.unlock();
      if (batch->error) std::rethrow_exception(batch->error);
      over_ = batch->end < sizes_.batch;
      if (batch->count() == 0) continue;
      if (batch->count() < sizes_.batch && sizes_.drop_remainder) return false;
      element = batch->made.rows(batch->count());
      return true;
    }
    return false;
  }

  bool has_some() const {
    const std::lock_guard lock(mutex_);
    return !batches_.empty() && is_ready();
  }

  void save(StateWriter& state) {
    const Rest rest(*this);
    state.put("input", input_);
    state.put("ended", std::int64_t{ended_});
    state.put("over", std::int64_t{over_});
    state.put("batches", static_cast<std::int64_t>(batches_.size()));
    for (std::size_t i = 0; i < batches_.size(); ++i) {
      StateWriter place = state.below(str_cat(i));
      const PendingBatch& batch = *batches_[i];
      place.put("begun", batch.begun);
      place.put("end", batch.end);
      place.put("error_row", batch.error_row);
      put_result(place, "rows", {batch.made.rows(batch.begun), false, batch.error});
    }
  }

  void restore(const StateReader& state) {
    const Rest rest(*this);
    state.restore("input", *input_);
    ended_ = state.integer("ended") != 0;
    over_ = state.integer("over") != 0;
    batches_.clear();
    const std::int64_t batches = state.integer("batches");
    for (std::int64_t i = 0; i < batches; ++i) restore_batch(state.below(str_cat(i)));
  }

 private:
  struct PendingBatch {
    explicit PendingBatch(std::int64_t size) : made(size), end(size) {}
    // Rows before the one whose call ended the sequence.
    std::int64_t count() const { return std::min(begun, end); }
    BatchInMaking made;
    std::int64_t begun = 0, done = 0;
    std::int64_t end;
    std::exception_ptr error;  // of the first row that has one
    std::int64_t error_row = 0;
  };

  bool is_full(const PendingBatch& batch) const { return batch.begun == sizes_.batch; }
  bool is_ready() const {
    if (batches_.empty()) return ended_ && workers_ == 0;
    const PendingBatch& first = *batches_.front();
    return first.done == first.begun && (is_full(first) || (ended_ && workers_ == 0));
  }
  bool has_room() const {
    return !ended_ && (batches_.size() < max_batches_ || !is_full(*batches_.back()));
  }
  void grow() {
    if (workers_ < width_ && has_room()) add_worker();
  }

  void work(Lock& lock) override {
    while (may_go_on() && has_room()) {
      lock.unlock();
      std::unique_lock pulling(pulling_);
      lock.lock();
      if (!may_go_on() || !has_room()) return;
      lock.unlock();
      StageResult pulled = next_result(*input_);
      lock.lock();
      if (pulled.ended) {
        ended_ = true;
        changed_.notify_all();
        return;
      }
      if (batches_.empty() || is_full(*batches_.back()))
        batches_.push_back(std::make_unique<PendingBatch>(sizes_.batch));
      PendingBatch& batch = *batches_.back();
      const std::int64_t row = batch.begun++;
      grow();
      lock.unlock();
      pulling.unlock();
      const StageResult written = write(std::move(pulled), batch, row);
      lock.lock();
      note(written, batch, row);
    }
  }

  StageResult write(StageResult pulled, PendingBatch& batch, std::int64_t row) const {
    if (pulled.error) return pulled;
    const ThreadLimit limit(width_ >= default_threads() ? 1 : ThreadLimit::kNone);
    const StageStats::Call timed(stats_);
    StageResult made = result_of([&](Element& results) {
      if (!call_or_end(function_, pulled.element, results, sizes_.keeps_size)) return false;
      batch.made.set_row(row, results);
      return true;
    });
    made.element.clear();
    return made;
  }

  void note(const StageResult& written, PendingBatch& batch, std::int64_t row) {
    ++batch.done;
    if (written.ended) batch.end = std::min(batch.end, row);
    if (written.error && (!batch.error || row < batch.error_row)) {
      batch.error = written.error;
      batch.error_row = row;
    }
    if (batch.done == batch.begun) changed_.notify_all();
  }

  void restore_batch(const StateReader& place) {
    require(batches_.empty() || is_full(*batches_.back()),
            "the saved position of the iterator has a batch after one that is not full");
    auto batch = std::make_unique<PendingBatch>(sizes_.batch);
    batch->begun = batch->done = place.integer("begun", sizes_.batch);
    batch->end = place.integer("end", sizes_.batch);
    batch->error_row = place.integer("error_row", sizes_.batch);
    StageResult rows = result_in(place, "rows");
    batch->error = rows.error;
    for (const Tensor& component : rows.element)
      require(component.rank() > 0 && component.dim(0) >= batch->begun,
              "the saved position of the iterator has a batch of shape ", component.shape(),
              " where ", batch->begun, " rows were begun");
    for (std::int64_t row = 0; row < batch->begun && !rows.element.empty(); ++row) {
      Element one;
      for (const Tensor& component : rows.element)
        one.push_back(
            component.slice(row, row + 1).reshaped(Shape(component.shape().dims().subspan(1))));
      batch->made.set_row(row, one);
    }
    batches_.push_back(std::move(batch));
  }

  const StageStats stats_;
  const BatchSizes sizes_;
  const DataFunction function_;
  const int width_;
  const std::size_t max_batches_;
  std::mutex pulling_;  // held by who is in the input; taken before mutex_
  std::unique_ptr<DataIterator> input_;
  std::deque<std::unique_ptr<PendingBatch>> batches_;
  bool ended_ = false;
  bool over_ = false;  // a call ended the sequence
};

class MapAndBatchDataset final : public Dataset {
 public:
  MapAndBatchDataset(ElementSpec spec, DatasetRef input, FunctionSource function,
                     const BatchSizes& sizes)
      : Dataset(std::move(spec)),
        input_(std::move(input)),
        function_(std::move(function)),
        sizes_(sizes) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  std::int64_t size() const override {
    const std::int64_t size = sizes_.keeps_size ? input_->size() : kUnknownSize;
    if (size < 0) return size;
    return size / sizes_.batch + (size % sizes_.batch != 0 && !sizes_.drop_remainder);
  }

 private:
  class Iterator final : public IteratorOf<MapAndBatchDataset> {
   public:
    Iterator(const MapAndBatchDataset& dataset, const PipelineRef& pipeline)
        : IteratorOf(dataset, pipeline),
          work_(pipeline, dataset, dataset.input_->iterate(pipeline), dataset.function_,
                dataset.sizes_) {}
    bool produce(Element& element) override { return work_->take(element); }
    bool would_wait() const override { return !work_->has_some(); }
    void save_stage(StateWriter& state) const override { work_->save(state); }
    void restore_stage(const StateReader& state) override { work_->restore(state); }

   private:
    const StageOwner<MapAndBatch> work_;
  };
  const DatasetRef input_;
  const FunctionSource function_;
  const BatchSizes sizes_;
};

std::shared_ptr<Dataset> map_and_batch_dataset(KernelCall& call) {
  const KernelNode& node = call.node();
  const int captured = list_length(node, "Targuments");
  const BatchSizes sizes{scalar_input<std::int64_t>(call, 1 + captured, "batch_size"),
                         scalar_input<std::int64_t>(call, 2 + captured, "num_parallel_calls"),
                         scalar_input<bool>(call, 3 + captured, "drop_remainder"),
                         node.attr<bool>("preserve_cardinality")};
  require(sizes.batch > 0, "batch_size must be greater than zero.");
  require(sizes.calls > 0 || sizes.calls == kAutotune,
          "num_parallel_calls must be greater than zero.");
  return std::make_shared<MapAndBatchDataset>(stated_spec(node), dataset_input(call, 0),
                                              function_input(call, "f", 1, captured), sizes);
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<map_and_batch_dataset>(kMapAndBatchDataset),
    dataset_kernel<map_and_batch_dataset>(kExperimentalMapAndBatchDataset),
};

}  // namespace

extern const KernelTable kMapAndBatchDatasetCpu{kEntries};

}  // namespace rill
