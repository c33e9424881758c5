#include "rill/ops/data/core/data_iterator.h"
#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/data/core/stacked_rows.h"

namespace rill {

extern const OpDecl kTensorDataset, kTensorSliceDataset;

namespace {

Element components(const KernelCall& call) {
  Element all;
  for (int i = 0; i < call.input_count(); ++i) all.push_back(call.input_tensor(i));
  return all;
}

// The components are known, so what the node states of them is not needed.
ElementSpec spec_of(const Element& element, bool rows) {
  ElementSpec spec;
  for (const Tensor& component : element) {
    spec.types.push_back(component.dtype());
    spec.shapes.push_back(rows ? PartialShape(component.shape().dims().subspan(1))
                               : component.shape());
  }
  return spec;
}

class TensorDataset final : public Dataset {
 public:
  explicit TensorDataset(Element element)
      : Dataset(spec_of(element, false)), element_(std::move(element)) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  std::int64_t size() const override { return 1; }

 private:
  class Iterator final : public IteratorOf<TensorDataset> {
   public:
    using IteratorOf::IteratorOf;
    bool produce(Element& element) override {
      if (std::exchange(given_, true)) return false;
      element = dataset().element_;
      return true;
    }
    void save_stage(StateWriter& state) const override { state.put("given", std::int64_t{given_}); }
    void restore_stage(const StateReader& state) override { given_ = state.integer("given") != 0; }

   private:
    bool given_ = false;
  };
  const Element element_;
};

class TensorSliceDataset final : public Dataset {
 public:
  explicit TensorSliceDataset(Element components)
      : Dataset(spec_of(components, true)), components_(std::move(components)) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  std::int64_t size() const override { return components_[0].dim(0); }

 private:
  class Iterator final : public IteratorOf<TensorSliceDataset> {
   public:
    using IteratorOf::IteratorOf;
    // Rows share the storage of the whole.
    bool produce(Element& element) override {
      if (row_ >= dataset().size()) return false;
      give_row(dataset().components_, row_++, element);
      return true;
    }
    std::int64_t skip(std::int64_t count) override {
      const std::int64_t skipped = std::clamp<std::int64_t>(count, 0, dataset().size() - row_);
      row_ += skipped;
      return skipped;
    }
    void save_stage(StateWriter& state) const override { state.put("row", row_); }
    void restore_stage(const StateReader& state) override {
      row_ = std::clamp<std::int64_t>(state.integer("row"), 0, dataset().size());
    }

   private:
    std::int64_t row_ = 0;
  };
  const Element components_;
};

std::shared_ptr<Dataset> tensor_dataset(KernelCall& call) {
  return std::make_shared<TensorDataset>(components(call));
}

std::shared_ptr<Dataset> tensor_slice_dataset(KernelCall& call) {
  Element all = components(call);
  for (const Tensor& component : all) {
    require(component.rank() > 0, "All components must be at least 1-dimensional");
    require(component.dim(0) == all[0].dim(0),
            "All components must have the same size in the 0th dimension");
  }
  return std::make_shared<TensorSliceDataset>(std::move(all));
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<tensor_dataset>(kTensorDataset),
    dataset_kernel<tensor_slice_dataset>(kTensorSliceDataset),
};

}  // namespace

extern const KernelTable kTensorDatasetCpu{kEntries};

}  // namespace rill
