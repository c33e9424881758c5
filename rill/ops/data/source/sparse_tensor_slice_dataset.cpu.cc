#include "rill/ops/data/core/data_iterator.h"
#include "rill/ops/data/core/dataset_kernel.h"

namespace rill {

extern const OpDecl kSparseTensorSliceDataset;

namespace {

struct SparseParts {
  Tensor indices, values, dense_shape;
};

ElementSpec row_spec_of(const SparseParts& sparse) {
  const std::int64_t rank = sparse.dense_shape.dim(0);
  return {{DType::i64, sparse.values.dtype(), DType::i64},
          {PartialShape{kUnknownDim, rank - 1}, PartialShape{kUnknownDim}, PartialShape{rank - 1}}};
}

class SparseTensorSliceDataset final : public Dataset {
 public:
  explicit SparseTensorSliceDataset(SparseParts sparse)
      : Dataset(row_spec_of(sparse)), sparse_(std::move(sparse)) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  std::int64_t size() const override { return sparse_.dense_shape.flat<std::int64_t>()[0]; }

 private:
  class Iterator final : public IteratorOf<SparseTensorSliceDataset> {
   public:
    using IteratorOf::IteratorOf;
    bool produce(Element& element) override {
      element.clear();
      if (row_ >= dataset().size()) return false;
      const SparseParts& all = dataset().sparse_;
      const std::int64_t end = end_of_row();
      const auto coordinates = all.indices.dim(1), count = end - entry_;
      Tensor indices(DType::i64, {count, coordinates - 1});
      const std::span<const std::int64_t> from = all.indices.flat<std::int64_t>();
      auto to = indices.flat<std::int64_t>().begin();
      for (std::int64_t e = entry_; e < end; ++e) {
        const auto entry = from.subspan(static_cast<std::size_t>(e * coordinates + 1),
                                        static_cast<std::size_t>(coordinates - 1));
        to = std::ranges::copy(entry, to).out;
      }
      element.push_back(std::move(indices));
      element.push_back(all.values.slice(entry_, end));
      element.push_back(all.dense_shape.slice(1, coordinates));
      entry_ = end;
      ++row_;
      return true;
    }
    void save_stage(StateWriter& state) const override {
      state.put("row", row_);
      state.put("entry", entry_);
    }
    void restore_stage(const StateReader& state) override {
      row_ = std::max<std::int64_t>(0, state.integer("row"));
      entry_ = std::clamp<std::int64_t>(state.integer("entry"), 0, dataset().sparse_.values.dim(0));
    }

   private:
    std::int64_t row_of(std::int64_t entry) const {
      const Tensor& indices = dataset().sparse_.indices;
      return indices.flat<std::int64_t>()[static_cast<std::size_t>(entry * indices.dim(1))];
    }
    std::int64_t end_of_row() const {
      const std::int64_t count = dataset().sparse_.values.dim(0);
      std::int64_t end = entry_;
      while (end < count && row_of(end) == row_) ++end;
      return end;
    }

    std::int64_t row_ = 0;
    std::int64_t entry_ = 0;  // the first that is not given out
  };
  const SparseParts sparse_;
};

void check_entries(const SparseParts& sparse) {
  const std::int64_t rank = sparse.dense_shape.dim(0), count = sparse.values.dim(0);
  const std::span<const std::int64_t> indices = sparse.indices.flat<std::int64_t>();
  std::int64_t before = 0;
  for (std::int64_t e = 0; e < count; ++e) {
    const std::int64_t row = indices[static_cast<std::size_t>(e * rank)];
    if (row < before && e > 0)
      raise(Code::kUnimplemented,
            "The SparseTensor must be ordered in the batch dimension; handling arbitrarily ordered "
            "input is not currently supported.");
    require(row >= 0, "indices[", e, "] is in row ", row);
    before = row;
  }
}

std::shared_ptr<Dataset> sparse_tensor_slice_dataset(KernelCall& call) {
  SparseParts sparse{call.input_tensor(0), call.input_tensor(1), call.input_tensor(2)};
  require(sparse.indices.rank() == 2,
          "Input indices must be a matrix. Got: ", sparse.indices.shape());
  require(sparse.values.rank() == 1, "Input values must be a vector. Got: ", sparse.values.shape());
  require(sparse.dense_shape.rank() == 1,
          "Input shape must be a vector. Got: ", sparse.dense_shape.shape());
  require(sparse.values.dim(0) == sparse.indices.dim(0),
          "Number of values must match first dimension of indices. Got ", sparse.values.dim(0),
          " values, indices shape: ", sparse.indices.shape());
  require(sparse.dense_shape.dim(0) == sparse.indices.dim(1),
          "Number of dimensions must match second dimension of indices. Got ",
          sparse.dense_shape.dim(0), " dimensions, indices shape: ", sparse.indices.shape());
  require(sparse.dense_shape.dim(0) > 0, "The shape argument requires at least one element.");
  check_entries(sparse);
  return std::make_shared<SparseTensorSliceDataset>(std::move(sparse));
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<sparse_tensor_slice_dataset>(kSparseTensorSliceDataset)};

}  // namespace

extern const KernelTable kSparseTensorSliceDatasetCpu{kEntries};

}  // namespace rill
