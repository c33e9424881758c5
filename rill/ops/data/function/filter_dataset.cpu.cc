#include "rill/ops/data/core/data_iterator.h"
#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/data/core/stage_stats.h"

namespace rill {

extern const OpDecl kExperimentalTakeWhileDataset, kFilterByLastComponentDataset, kFilterDataset,
    kTakeWhileDataset;

namespace {

enum class Keep { kWhereTrue, kBeforeFirstFalse };

class PredicateDataset final : public Dataset {
 public:
  PredicateDataset(ElementSpec spec, DatasetRef input, FunctionSource predicate, Keep keep)
      : Dataset(std::move(spec)),
        input_(std::move(input)),
        predicate_(std::move(predicate)),
        keep_(keep) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }

 private:
  class Iterator final : public IteratorOf<PredicateDataset> {
   public:
    Iterator(const PredicateDataset& dataset, const PipelineRef& pipeline)
        : IteratorOf(dataset, pipeline),
          input_(dataset.input_->iterate(pipeline)),
          predicate_(*pipeline, dataset.predicate_),
          stats_(dataset, *pipeline, dataset.predicate_.function.name) {}

    bool produce(Element& element) override {
      while (input_ != nullptr && input_->next(element)) {
        const bool kept = holds(element);
        if (stats_) report(kept);
        if (kept) return true;
        if (dataset().keep_ == Keep::kBeforeFirstFalse) break;
      }
      input_.reset();
      return false;
    }
    bool would_wait() const override {
      return input_ != nullptr && (predicate_.may_block() || input_->would_wait());
    }
    void save_stage(StateWriter& state) const override { state.put("input", input_); }
    void restore_stage(const StateReader& state) override { state.restore("input", input_); }

   private:
    bool holds(const Element& element) {
      const StageStats::Call timed(stats_);
      arguments_ = element;
      call_or_end(predicate_, arguments_, results_, true);
      require(results_.size() == 1 && results_[0].dtype() == DType::boolean &&
                  results_[0].element_count() == 1,
              dataset().keep_ == Keep::kWhereTrue ? "Filter predicate `f`" : "`predicate`",
              " must return a scalar bool.");
      return results_[0].scalar_value<bool>();
    }

    void report(bool kept) {
      std::int64_t& count = kept ? kept_ : dropped_;
      stats_.scalar(kept ? "filtered_elements" : "dropped_elements", static_cast<double>(++count),
                    kept_ + dropped_);
    }

    std::unique_ptr<DataIterator> input_;
    const DataFunction predicate_;
    const StageStats stats_;
    std::int64_t kept_ = 0, dropped_ = 0;  // where that is reported
    Element arguments_, results_;
  };
  const DatasetRef input_;
  const FunctionSource predicate_;
  const Keep keep_;
};

class LastComponentDataset final : public Dataset {
 public:
  LastComponentDataset(ElementSpec spec, DatasetRef input)
      : Dataset(std::move(spec)), input_(std::move(input)) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }

 private:
  class Iterator final : public IteratorOf<LastComponentDataset> {
   public:
    Iterator(const LastComponentDataset& dataset, const PipelineRef& pipeline)
        : IteratorOf(dataset, pipeline), input_(dataset.input_->iterate(pipeline)) {}

    bool produce(Element& element) override {
      while (input_->next(element)) {
        const Tensor last = std::move(element.back());
        element.pop_back();
        require(last.dtype() == DType::boolean && last.element_count() == 1,
                "last component must be a bool scalar");
        if (last.scalar_value<bool>()) return true;
      }
      return false;
    }
    bool would_wait() const override { return input_->would_wait(); }
    void save_stage(StateWriter& state) const override { state.put("input", input_); }
    void restore_stage(const StateReader& state) override { state.restore("input", *input_); }

   private:
    std::unique_ptr<DataIterator> input_;
  };
  const DatasetRef input_;
};

template <Keep keep>
std::shared_ptr<Dataset> predicate_dataset(KernelCall& call) {
  const KernelNode& node = call.node();
  return std::make_shared<PredicateDataset>(
      stated_spec(node), dataset_input(call, 0),
      function_input(call, "predicate", 1, list_length(node, "Targuments")), keep);
}

std::shared_ptr<Dataset> last_component_dataset(KernelCall& call) {
  const ElementSpec spec = stated_spec(call.node());
  const DatasetRef input = dataset_input(call, 0);
  require(input->spec().types.size() == spec.types.size() + 1,
          "Expected number of components in dataset: ", spec.types.size() + 1, ", but got ",
          input->spec().types.size());
  return std::make_shared<LastComponentDataset>(spec, input);
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<predicate_dataset<Keep::kWhereTrue>>(kFilterDataset),
    dataset_kernel<last_component_dataset>(kFilterByLastComponentDataset),
    dataset_kernel<predicate_dataset<Keep::kBeforeFirstFalse>>(kTakeWhileDataset),
    dataset_kernel<predicate_dataset<Keep::kBeforeFirstFalse>>(kExperimentalTakeWhileDataset),
};

}  // namespace

extern const KernelTable kFilterDatasetCpu{kEntries};

}  // namespace rill
