#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/data/core/parallel_calls.h"
#include "rill/ops/data/core/stage_stats.h"

namespace rill {

extern const OpDecl kParallelMapDataset;

namespace {

class ParallelMapDataset final : public Dataset {
 public:
  ParallelMapDataset(ElementSpec spec, DatasetRef input, FunctionSource function,
                     std::int64_t width, const KernelNode& node)
      : Dataset(std::move(spec)),
        input_(std::move(input)),
        function_(std::move(function)),
        width_(width),
        in_order_(!node.attr<bool>("sloppy")),
        keeps_size_(node.attr<bool>("preserve_cardinality")) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  std::int64_t size() const override { return keeps_size_ ? input_->size() : kUnknownSize; }

 private:
  class Iterator final : public IteratorOf<ParallelMapDataset> {
   public:
    Iterator(const ParallelMapDataset& dataset, const PipelineRef& pipeline)
        : Iterator(dataset, pipeline, DataFunction(*pipeline, dataset.function_)) {}
    Iterator(const ParallelMapDataset& dataset, const PipelineRef& pipeline,
             const DataFunction& function)
        : IteratorOf(dataset, pipeline),
          work_(
              pipeline, dataset.input_->iterate(pipeline),
              [function, keeps_size = dataset.keeps_size_,
               stats = StageStats(dataset, *pipeline, dataset.function_.function.name,
                                  worker_count(dataset.width_, *pipeline))](Element& arguments,
                                                                            Element& results) {
                const StageStats::Call timed(stats);
                return call_or_end(function, arguments, results, keeps_size);
              },
              worker_count(dataset.width_, *pipeline), dataset.in_order_, function.may_block()) {}
    bool produce(Element& element) override { return work_->take(element); }
    bool would_wait() const override { return work_->would_wait(); }
    void save_stage(StateWriter& state) const override { work_->save(state); }
    void restore_stage(const StateReader& state) override { work_->restore(state); }

   private:
    const StageOwner<ParallelCalls> work_;
  };
  const DatasetRef input_;
  const FunctionSource function_;
  const std::int64_t width_;
  const bool in_order_, keeps_size_;
};

std::shared_ptr<Dataset> parallel_map_dataset(KernelCall& call) {
  const KernelNode& node = call.node();
  const int captured = list_length(node, "Targuments");
  const auto width = scalar_input<std::int32_t>(call, 1 + captured, "num_parallel_calls");
  require(width > 0 || width == kAutotune, "num_parallel_calls must be greater than zero.");
  return std::make_shared<ParallelMapDataset>(stated_spec(node), dataset_input(call, 0),
                                              function_input(call, "f", 1, captured), width, node);
}

constexpr KernelEntry kEntries[] = {dataset_kernel<parallel_map_dataset>(kParallelMapDataset)};

}  // namespace

extern const KernelTable kParallelMapDatasetCpu{kEntries};

}  // namespace rill
