#include "rill/ops/data/core/data_iterator.h"
#include "rill/ops/data/core/dataset_kernel.h"

namespace rill {

extern const OpDecl kZipDataset;

namespace {

class ZipDataset final : public Dataset {
 public:
  ZipDataset(ElementSpec spec, std::vector<DatasetRef> inputs)
      : Dataset(std::move(spec)), inputs_(std::move(inputs)) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  // That of the shortest.
  std::int64_t size() const override {
    std::int64_t least = kInfiniteSize;
    for (const DatasetRef& input : inputs_) {
      const std::int64_t size = input->size();
      if (size == kUnknownSize) return kUnknownSize;
      if (size != kInfiniteSize) least = least == kInfiniteSize ? size : std::min(least, size);
    }
    return least;
  }

 private:
  class Iterator final : public IteratorOf<ZipDataset> {
   public:
    Iterator(const ZipDataset& dataset, const PipelineRef& pipeline)
        : IteratorOf(dataset, pipeline) {
      for (const DatasetRef& input : dataset.inputs_) inputs_.push_back(input->iterate(pipeline));
    }
    // Every input is asked whatever becomes of the others, so that they stay in step.
    bool produce(Element& element) override {
      element.clear();
      if (ended_) return false;
      std::exception_ptr error;
      for (const auto& input : inputs_) {
        try {
          ended_ |= !input->next(part_);
          for (Tensor& component : part_) element.push_back(std::move(component));
        } catch (const Error&) {
          if (error == nullptr) error = std::current_exception();
        }
      }
      if (!ended_ && error != nullptr) std::rethrow_exception(error);
      return !ended_;
    }
    bool would_wait() const override {
      return !ended_ &&
             std::ranges::any_of(inputs_, [](const auto& input) { return input->would_wait(); });
    }
    void save_stage(StateWriter& state) const override {
      state.put("ended", std::int64_t{ended_});
      for (std::size_t i = 0; i < inputs_.size(); ++i) state.put(str_cat("input", i), inputs_[i]);
    }
    void restore_stage(const StateReader& state) override {
      ended_ = state.integer("ended") != 0;
      for (std::size_t i = 0; i < inputs_.size(); ++i) {
        state.restore(str_cat("input", i), inputs_[i]);
        ended_ |= inputs_[i] == nullptr;
      }
    }

   private:
    std::vector<std::unique_ptr<DataIterator>> inputs_;
    bool ended_ = false;
    Element part_;
  };
  const std::vector<DatasetRef> inputs_;
};

std::shared_ptr<Dataset> zip_dataset(KernelCall& call) {
  std::vector<DatasetRef> inputs;
  for (int i = 0; i < call.input_count(); ++i) inputs.push_back(dataset_input(call, i));
  return std::make_shared<ZipDataset>(stated_spec(call.node()), std::move(inputs));
}

constexpr KernelEntry kEntries[] = {dataset_kernel<zip_dataset>(kZipDataset)};

}  // namespace

extern const KernelTable kZipDatasetCpu{kEntries};

}  // namespace rill
