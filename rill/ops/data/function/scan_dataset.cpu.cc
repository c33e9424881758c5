#include "rill/ops/data/core/data_iterator.h"
#include "rill/ops/data/core/dataset_kernel.h"

namespace rill {

extern const OpDecl kExperimentalScanDataset, kScanDataset;

namespace {

class ScanDataset final : public Dataset {
 public:
  ScanDataset(ElementSpec spec, DatasetRef input, Element initial, FunctionSource function,
              bool keeps_size)
      : Dataset(std::move(spec)),
        input_(std::move(input)),
        initial_(std::move(initial)),
        function_(std::move(function)),
        keeps_size_(keeps_size) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  std::int64_t size() const override { return keeps_size_ ? input_->size() : kUnknownSize; }

 private:
  class Iterator final : public IteratorOf<ScanDataset> {
   public:
    Iterator(const ScanDataset& dataset, const PipelineRef& pipeline)
        : IteratorOf(dataset, pipeline),
          input_(dataset.input_->iterate(pipeline)),
          function_(*pipeline, dataset.function_),
          state_(dataset.initial_) {}

    bool produce(Element& element) override {
      if (!input_->next(element)) return false;
      arguments_ = state_;
      arguments_.insert(arguments_.end(), element.begin(), element.end());
      if (!call_or_end(function_, arguments_, results_, dataset().keeps_size_)) return false;
      const auto state_end = results_.begin() + static_cast<std::ptrdiff_t>(state_.size());
      check_state();
      std::move(results_.begin(), state_end, state_.begin());
      element.assign(std::move_iterator(state_end), std::move_iterator(results_.end()));
      return true;
    }
    bool would_wait() const override { return function_.may_block() || input_->would_wait(); }
    void save_stage(StateWriter& state) const override {
      state.put("input", input_);
      state.put("state", state_);
    }
    void restore_stage(const StateReader& state) override {
      state.restore("input", *input_);
      state_ = state.element("state");
    }

   private:
    void check_state() const {
      const std::size_t wanted = state_.size() + dataset().spec().types.size();
      require(results_.size() == wanted, "the function of a scan gives ", results_.size(),
              " results, but ", wanted, " are wanted");
      for (std::size_t i = 0; i < state_.size(); ++i)
        require(results_[i].dtype() == state_[i].dtype(),
                "Got wrong type for scan_func return value ", i, " (expected ", state_[i].dtype(),
                ", got ", results_[i].dtype(), ").");
    }

    std::unique_ptr<DataIterator> input_;
    const DataFunction function_;
    Element state_, arguments_, results_;
  };
  const DatasetRef input_;
  const Element initial_;
  const FunctionSource function_;
  const bool keeps_size_;
};

std::shared_ptr<Dataset> scan_dataset(KernelCall& call) {
  const KernelNode& node = call.node();
  const int states = list_length(node, "Tstate");
  Element initial;
  for (int i = 1; i <= states; ++i) initial.push_back(call.input_tensor(i));
  return std::make_shared<ScanDataset>(
      stated_spec(node), dataset_input(call, 0), std::move(initial),
      function_input(call, "f", 1 + states, list_length(node, "Targuments")),
      node.attr<bool>("preserve_cardinality"));
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<scan_dataset>(kScanDataset),
    dataset_kernel<scan_dataset>(kExperimentalScanDataset),
};

}  // namespace

extern const KernelTable kScanDatasetCpu{kEntries};

}  // namespace rill
