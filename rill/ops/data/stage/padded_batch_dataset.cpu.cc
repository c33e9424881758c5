#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/data/core/row_buffer.h"
#include "rill/ops/data/core/unary_dataset.h"

namespace rill {

extern const OpDecl kPaddedBatchDataset, kPaddedBatchDatasetV2;

namespace {

// How one component is filled up.
struct Padding {
  PartialShape shape;  // of a row; unknown dimensions become as large as the batch needs
  Tensor value;        // a scalar
};

// The shape that the rows of a batch are filled up to.
Shape padded_shape(std::span<const Element> rows, std::size_t component,
                   const PartialShape& wanted) {
  Dims dims(wanted.dims());
  for (const Element& row : rows) {
    const Shape& shape = row[component].shape();
    require(shape.rank() == wanted.rank(),
            "All elements in a batch must have the same rank as the padded shape for component",
            component, ": expected rank ", wanted.rank(), " but got element with rank ",
            shape.rank());
    for (int i = 0; i < shape.rank(); ++i) {
      if (wanted.dim(i) < 0) {
        dims[i] = std::max(dims[i], shape.dim(i));
      } else if (shape.dim(i) > wanted.dim(i)) {
        raise(Code::kDataLoss, "Attempted to pad to a smaller size than the input element.");
      }
    }
  }
  return Shape(dims.span());
}

// Each copy doubles what is filled.
void fill(const Tensor& value, char* dst, std::size_t count) {
  const std::size_t size = element_size(value.dtype());
  if (count > 0) copy_elements(value.dtype(), dst, value.raw_data(), 1);
  for (std::size_t filled = 1; filled < count;) {
    const std::size_t more = std::min(filled, count - filled);
    copy_elements(value.dtype(), dst + filled * size, dst, more);
    filled += more;
  }
}

// Copies the elements of `row` from `axis` on to the front corner of a block of shape `to`; `src`
// and `dst` count elements.
class CornerCopy {
 public:
  CornerCopy(const Tensor& row, const Shape& to, char* dst)
      : row_(row), to_(to), src_(static_cast<const char*>(row.raw_data())), dst_(dst) {}
  void run() { copy(0, to_.element_count()); }

 private:
  void copy(int axis, std::int64_t room) {
    const std::size_t size = element_size(row_.dtype());
    if (axis >= row_.rank() - 1) {
      const std::size_t count =
          axis < row_.rank() ? static_cast<std::size_t>(row_.dim(axis)) : std::size_t{1};
      copy_elements(row_.dtype(), dst_, src_, count);
      src_ += count * size;
      return;
    }
    char* const begin = dst_;
    const std::int64_t below = room / to_.dim(axis);
    for (std::int64_t i = 0; i < row_.dim(axis); ++i) {
      dst_ = begin + static_cast<std::size_t>(i * below) * size;
      copy(axis + 1, below);
    }
    dst_ = begin;
  }

  const Tensor& row_;
  const Shape& to_;
  const char* src_;
  char* dst_;
};

Tensor padded_component(std::span<Element> rows, std::size_t component, const Padding& padding) {
  const Shape shape = padded_shape(rows, component, padding.shape);
  Dims dims;
  dims.push_back(static_cast<std::int64_t>(rows.size()));
  for (const std::int64_t dim : shape.dims()) dims.push_back(dim);
  Tensor all(padding.value.dtype(), Shape(dims.span()));
  const auto room = static_cast<std::size_t>(shape.element_count());
  const std::size_t bytes = room * element_size(all.dtype());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Tensor& row = rows[i][component];
    require(row.dtype() == all.dtype(), "component ", component, " is ", row.dtype(), ", but ",
            all.dtype(), " is wanted");
    char* const dst = static_cast<char*>(all.raw_data()) + i * bytes;
    if (row.shape() == shape) {
      take_elements(row, dst);
    } else {
      fill(padding.value, dst, room);
      if (row.element_count() > 0) CornerCopy(row, shape, dst).run();
    }
  }
  return all;
}

class PaddedBatchDataset final : public UnaryDataset {
 public:
  PaddedBatchDataset(ElementSpec spec, DatasetRef input, std::int64_t batch_size,
                     bool drop_remainder, std::vector<Padding> paddings)
      : UnaryDataset(std::move(spec), std::move(input)),
        batch_size_(batch_size),
        drop_remainder_(drop_remainder),
        paddings_(std::move(paddings)) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  std::int64_t size() const override {
    return batch_count(input()->size(), batch_size_, drop_remainder_);
  }

 private:
  class Iterator final : public UnaryIterator<PaddedBatchDataset> {
   public:
    using UnaryIterator::UnaryIterator;
    bool produce(Element& element) override {
      element.clear();
      const std::span<Element> rows =
          rows_.fill(dataset().batch_size_, [this](Element& row) { return pull(row); });
      const auto count = static_cast<std::int64_t>(rows.size());
      if (count == 0 || (dataset().drop_remainder_ && count < dataset().batch_size_)) {
        rows_.clear();
        return false;
      }
      const std::vector<Padding>& paddings = dataset().paddings_;
      for (const Element& row : rows)
        require(row.size() == paddings.size(), "an element has ", row.size(), " components, not ",
                paddings.size());
      for (std::size_t c = 0; c < paddings.size(); ++c)
        element.push_back(padded_component(rows, c, paddings[c]));
      rows_.clear();
      return true;
    }

   private:
    RowBuffer rows_;
  };
  const std::int64_t batch_size_;
  const bool drop_remainder_;
  const std::vector<Padding> paddings_;
};

std::vector<Padding> padding_inputs(const KernelCall& call, const ElementSpec& input) {
  const auto count = static_cast<int>(call.node().attr<std::int64_t>("N"));
  const auto wanted = static_cast<int>(input.types.size());
  require(count == wanted, "Number of padded shapes (", count,
          ") must match the number of components in the input dataset's elements (", wanted, ")");
  const int values = list_length(call.node(), "Toutput_types");
  require(values == wanted, "Number of padding values (", values,
          ") must match the number of components in the input dataset's elements (", wanted, ")");
  std::vector<Padding> paddings;
  for (int i = 0; i < count; ++i) {
    const Tensor &shape = call.input_tensor(2 + i), &value = call.input_tensor(2 + count + i);
    require(shape.rank() == 1, "All padded shapes must be vectors");
    require(value.rank() == 0, "All padding values must be scalars");
    const DType type = input.types[static_cast<std::size_t>(i)];
    require(value.dtype() == type, "Mismatched type between padding value ", i,
            " and input dataset's component ", i, ": ", value.dtype(), " vs. ", type);
    paddings.push_back({PartialShape(shape.flat<std::int64_t>()), value});
  }
  return paddings;
}

std::shared_ptr<Dataset> padded_batch_dataset(KernelCall& call, bool drop_remainder) {
  DatasetRef input = dataset_input(call, 0);
  const std::int64_t batch_size = batch_size_input(call, 1);
  std::vector<Padding> paddings = padding_inputs(call, input->spec());
  ElementSpec spec{input->spec().types,
                   call.node().attr<std::vector<PartialShape>>("output_shapes")};
  return std::make_shared<PaddedBatchDataset>(std::move(spec), std::move(input), batch_size,
                                              drop_remainder, std::move(paddings));
}

std::shared_ptr<Dataset> padded_batch_v1(KernelCall& call) {
  return padded_batch_dataset(call, false);
}

std::shared_ptr<Dataset> padded_batch_v2(KernelCall& call) {
  return padded_batch_dataset(call,
                              scalar_input<bool>(call, call.input_count() - 1, "drop_remainder"));
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<padded_batch_v1>(kPaddedBatchDataset),
    dataset_kernel<padded_batch_v2>(kPaddedBatchDatasetV2),
};

}  // namespace

extern const KernelTable kPaddedBatchDatasetCpu{kEntries};

}  // namespace rill
