#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/data/core/stacked_rows.h"
#include "rill/ops/data/core/unary_dataset.h"

namespace rill {

extern const OpDecl kUnbatchDataset, kExperimentalUnbatchDataset;

namespace {

class UnbatchDataset final : public UnaryDataset {
 public:
  using UnaryDataset::UnaryDataset;
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  // Known where all batches are of one known size.
  std::int64_t size() const override {
    const std::int64_t batches = input()->size();
    if (batches <= 0) return batches;
    const PartialShape& shape = input()->spec().shapes[0];
    std::int64_t count = 0;
    if (!shape.has_rank() || shape.rank() == 0 || shape.dim(0) < 0 ||
        __builtin_mul_overflow(batches, shape.dim(0), &count))
      return kUnknownSize;
    return count;
  }

 private:
  class Iterator final : public UnaryIterator<UnbatchDataset> {
   public:
    using UnaryIterator::UnaryIterator;
    bool produce(Element& element) override {
      while (row_ >= rows_) {
        batch_.clear();
        row_ = rows_ = 0;
        if (!pull(batch_)) return false;
        check_batch();
        rows_ = batch_[0].dim(0);
      }
      give_row(batch_, row_++, element);
      return true;
    }
    void save_stage(StateWriter& state) const override {
      UnaryIterator::save_stage(state);
      state.put("row", row_);
      state.put("batch", batch_);
    }
    void restore_stage(const StateReader& state) override {
      UnaryIterator::restore_stage(state);
      row_ = state.integer("row");
      batch_ = state.element("batch");
      if (batch_.empty()) return;
      check_batch();
      rows_ = batch_[0].dim(0);
      require(row_ >= 0, "the saved position of the iterator is row ", row_);
    }

   private:
    void check_batch() const {
      for (const Tensor& component : batch_)
        require(component.rank() > 0,
                "Input element must have a non-scalar value in each component.");
      for (const Tensor& component : batch_)
        require(component.dim(0) == batch_[0].dim(0),
                "Input element must have the same batch size in each component. Component 0 had "
                "size ",
                batch_[0].dim(0), " but component ", &component - batch_.data(), " had size, ",
                component.dim(0), ".");
    }

    Element batch_;
    std::int64_t row_ = 0, rows_ = 0;
  };
};

std::shared_ptr<Dataset> unbatch_dataset(KernelCall& call) {
  return std::make_shared<UnbatchDataset>(stated_spec(call.node()), dataset_input(call, 0));
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<unbatch_dataset>(kUnbatchDataset),
    dataset_kernel<unbatch_dataset>(kExperimentalUnbatchDataset),
};

}  // namespace

extern const KernelTable kUnbatchDatasetCpu{kEntries};

}  // namespace rill
