#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/data/core/row_buffer.h"
#include "rill/ops/data/core/unary_dataset.h"
#include "rill/tensor/ragged_value.h"

namespace rill {

extern const OpDecl kDenseToSparseBatchDataset, kExperimentalDenseToSparseBatchDataset;

namespace {

// A sparse tensor travels as three variants: indices, values, dense shape.
Tensor sparse_variants(const Tensor (&parts)[3]) {
  Tensor all(DType::variant, {3});
  for (std::size_t i = 0; i < 3; ++i) all.data<Variant>()[i] = to_variant(parts[i]);
  return all;
}

// Where all the rows fit into: the stated shape, unknown dimensions as large as the largest row's.
std::vector<std::int64_t> dense_shape(std::span<const Element> rows, const PartialShape& wanted) {
  std::vector<std::int64_t> dims{static_cast<std::int64_t>(rows.size())};
  for (const std::int64_t dim : wanted.dims()) dims.push_back(std::max<std::int64_t>(0, dim));
  for (const Element& row : rows) {
    const Shape& shape = row[0].shape();
    require(shape.rank() == wanted.rank(), "Input element had shape (", shape,
            ") that is incompatible with the row shape (", wanted, ").");
    for (int i = 0; i < shape.rank(); ++i) {
      std::int64_t& dim = dims[static_cast<std::size_t>(i) + 1];
      if (wanted.dim(i) < 0) {
        dim = std::max(dim, shape.dim(i));
      } else if (shape.dim(i) > dim) {
        raise(Code::kDataLoss, "Input element had shape (", shape,
              ") that is larger than the row shape (", wanted, ").");
      }
    }
  }
  return dims;
}

// Writes the indices of all elements of a row, in order; returns where the next row's begin.
std::int64_t* write_indices(std::int64_t row, const Shape& shape, std::int64_t* to) {
  std::vector<std::int64_t> at(static_cast<std::size_t>(shape.rank()), 0);
  for (std::int64_t e = 0; e < shape.element_count(); ++e) {
    *to++ = row;
    to = std::ranges::copy(at, to).out;
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
      if (++at[static_cast<std::size_t>(axis)] < shape.dim(axis)) break;
      at[static_cast<std::size_t>(axis)] = 0;
    }
  }
  return to;
}

Tensor sparse_batch(std::span<Element> rows, DType type, const PartialShape& row_shape) {
  const std::vector<std::int64_t> dims = dense_shape(rows, row_shape);
  std::int64_t count = 0;
  for (const Element& row : rows) count += row[0].element_count();
  Tensor indices(DType::i64, {count, static_cast<std::int64_t>(dims.size())});
  Tensor values(type, {count});
  std::int64_t* index = indices.data<std::int64_t>();
  auto* value = static_cast<char*>(values.raw_data());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Tensor& row = rows[i][0];
    require(row.dtype() == type, "an element is ", row.dtype(), ", but ", type, " is wanted");
    index = write_indices(static_cast<std::int64_t>(i), row.shape(), index);
    const std::size_t bytes = row.byte_size();
    take_elements(row, value);
    value += bytes;
  }
  return sparse_variants(
      {indices, values,
       Tensor::of<std::int64_t>({static_cast<std::int64_t>(dims.size())}, std::span(dims))});
}

class SparseBatchDataset final : public UnaryDataset {
 public:
  SparseBatchDataset(ElementSpec spec, DatasetRef input, std::int64_t batch_size,
                     PartialShape row_shape)
      : UnaryDataset(std::move(spec), std::move(input)),
        batch_size_(batch_size),
        row_shape_(std::move(row_shape)) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  std::int64_t size() const override { return batch_count(input()->size(), batch_size_, false); }

 private:
  class Iterator final : public UnaryIterator<SparseBatchDataset> {
   public:
    using UnaryIterator::UnaryIterator;
    bool produce(Element& element) override {
      element.clear();
      const std::span<Element> rows =
          rows_.fill(dataset().batch_size_, [this](Element& row) { return pull(row); });
      if (rows.empty()) return false;
      element.push_back(
          sparse_batch(rows, dataset().input()->spec().types[0], dataset().row_shape_));
      rows_.clear();
      return true;
    }

   private:
    RowBuffer rows_;
  };
  const std::int64_t batch_size_;
  const PartialShape row_shape_;
};

std::shared_ptr<Dataset> dense_to_sparse_batch_dataset(KernelCall& call) {
  DatasetRef input = dataset_input(call, 0);
  require(input->spec().types.size() == 1,
          "DenseToSparseBatchDataset only supports inputs with a single component.");
  const std::int64_t batch_size = batch_size_input(call, 1);
  const Tensor& row_shape = call.input_tensor(2);
  require(row_shape.rank() == 1, "row_shape must be a vector");
  PartialShape row(row_shape.flat<std::int64_t>());
  Dims dims;
  dims.push_back(kUnknownDim);
  for (const std::int64_t dim : row.dims()) dims.push_back(dim);
  return std::make_shared<SparseBatchDataset>(
      ElementSpec{{DType::variant}, {PartialShape(dims.span())}}, std::move(input), batch_size,
      std::move(row));
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<dense_to_sparse_batch_dataset>(kDenseToSparseBatchDataset),
    dataset_kernel<dense_to_sparse_batch_dataset>(kExperimentalDenseToSparseBatchDataset),
};

}  // namespace

extern const KernelTable kDenseToSparseBatchDatasetCpu{kEntries};

}  // namespace rill
