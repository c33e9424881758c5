#include "rill/ops/data/core/data_iterator.h"
#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/data/core/stage_stats.h"

namespace rill {

extern const OpDecl kExperimentalMapDataset, kMapDataset;

namespace {

class MapDataset final : public Dataset {
 public:
  MapDataset(ElementSpec spec, DatasetRef input, FunctionSource function, bool keeps_size)
      : Dataset(std::move(spec)),
        input_(std::move(input)),
        function_(std::move(function)),
        keeps_size_(keeps_size) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  std::int64_t size() const override { return keeps_size_ ? input_->size() : kUnknownSize; }

 private:
  class Iterator final : public IteratorOf<MapDataset> {
   public:
    Iterator(const MapDataset& dataset, const PipelineRef& pipeline)
        : IteratorOf(dataset, pipeline),
          input_(dataset.input_->iterate(pipeline)),
          function_(*pipeline, dataset.function_),
          stats_(dataset, *pipeline, dataset.function_.function.name) {}

    bool produce(Element& element) override {
      if (!input_->next(arguments_)) return false;
      const StageStats::Call timed(stats_);
      return call_or_end(function_, arguments_, element, dataset().keeps_size_);
    }
    bool would_wait() const override { return function_.may_block() || input_->would_wait(); }
    void save_stage(StateWriter& state) const override { state.put("input", input_); }
    void restore_stage(const StateReader& state) override { state.restore("input", *input_); }

   private:
    std::unique_ptr<DataIterator> input_;
    const DataFunction function_;
    const StageStats stats_;
    Element arguments_;
  };
  const DatasetRef input_;
  const FunctionSource function_;
  const bool keeps_size_;
};

std::shared_ptr<Dataset> map_dataset(KernelCall& call) {
  const KernelNode& node = call.node();
  return std::make_shared<MapDataset>(stated_spec(node), dataset_input(call, 0),
                                      function_input(call, "f", 1, list_length(node, "Targuments")),
                                      node.attr<bool>("preserve_cardinality"));
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<map_dataset>(kMapDataset),
    dataset_kernel<map_dataset>(kExperimentalMapDataset),
};

}  // namespace

extern const KernelTable kMapDatasetCpu{kEntries};

}  // namespace rill
