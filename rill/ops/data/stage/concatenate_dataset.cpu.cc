#include "rill/ops/data/core/data_iterator.h"
#include "rill/ops/data/core/dataset_kernel.h"

namespace rill {

extern const OpDecl kConcatenateDataset;

namespace {

class ConcatenateDataset final : public Dataset {
 public:
  ConcatenateDataset(ElementSpec spec, DatasetRef first, DatasetRef second)
      : Dataset(std::move(spec)), inputs_{std::move(first), std::move(second)} {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  std::int64_t size() const override {
    const std::int64_t a = inputs_[0]->size(), b = inputs_[1]->size();
    if (a == kInfiniteSize || b == kInfiniteSize) return kInfiniteSize;
    std::int64_t sum = 0;
    if (a == kUnknownSize || b == kUnknownSize || __builtin_add_overflow(a, b, &sum))
      return kUnknownSize;
    return sum;
  }

 private:
  class Iterator final : public IteratorOf<ConcatenateDataset> {
   public:
    Iterator(const ConcatenateDataset& dataset, const PipelineRef& pipeline)
        : IteratorOf(dataset, pipeline) {
      inputs_[0] = dataset.inputs_[0]->iterate(pipeline);
    }
    bool produce(Element& element) override {
      for (; at_ < 2; ++at_) {
        if (inputs_[at_] == nullptr) inputs_[at_] = dataset().inputs_[at_]->iterate(pipeline());
        if (inputs_[at_]->next(element)) return true;
      }
      return false;
    }
    bool would_wait() const override {
      return at_ < 2 && inputs_[at_] != nullptr && inputs_[at_]->would_wait();
    }
    void save_stage(StateWriter& state) const override {
      state.put("at", std::int64_t{at_});
      state.put("second_began", std::int64_t{inputs_[1] != nullptr});
      for (int i = 0; i < 2; ++i) state.put(str_cat("input", i), inputs_[i]);
    }
    void restore_stage(const StateReader& state) override {
      at_ = static_cast<int>(std::clamp<std::int64_t>(state.integer("at"), 0, 2));
      const bool second_began = state.integer("second_began") != 0;
      inputs_[1] = second_began ? dataset().inputs_[1]->iterate(pipeline()) : nullptr;
      for (int i = 0; i <= int{second_began}; ++i) state.restore(str_cat("input", i), inputs_[i]);
    }

   private:
    int at_ = 0;
    std::unique_ptr<DataIterator> inputs_[2];  // the second one once it has begun
  };
  const DatasetRef inputs_[2];
};

std::shared_ptr<Dataset> concatenate_dataset(KernelCall& call) {
  DatasetRef first = dataset_input(call, 0), second = dataset_input(call, 1);
  require(first->spec().types == second->spec().types,
          "input dataset and dataset to concatenate have different output_types");
  return std::make_shared<ConcatenateDataset>(stated_spec(call.node()), std::move(first),
                                              std::move(second));
}

constexpr KernelEntry kEntries[] = {dataset_kernel<concatenate_dataset>(kConcatenateDataset)};

}  // namespace

extern const KernelTable kConcatenateDatasetCpu{kEntries};

}  // namespace rill
