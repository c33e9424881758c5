#include <algorithm>

#include "rill/kernel/kernel_entries.h"
#include "rill/ops/list/list_kernel.h"

namespace rill {

extern const OpDecl kTensorListFromTensor, kTensorListSplit, kTensorListScatter,
    kTensorListScatterV2, kTensorListScatterIntoExistingList;

namespace {

std::vector<std::int64_t> indices_input(const KernelCall& call, int i) {
  const auto given = call.input<std::int32_t>(i);
  return {given.begin(), given.end()};
}

// ---------------------------------------------------------------------------

// A list for rows of the tensor on input 0.
std::shared_ptr<ListValue> list_for_rows(const KernelCall& call, int shape) {
  const Tensor& tensor = call.input_tensor(0);
  auto list = std::make_shared<ListValue>(tensor.dtype(), shape_input(call, shape));
  const Shape row = tensor.rank() > 0 ? tensor.shape().without_dim(0) : Shape();
  require(tensor.rank() == 0 || list->element_shape.accepts(row), "Specified a list with shape ",
          list->element_shape, " from a tensor with shape ", row);
  return list;
}

void from_tensor(KernelCall& call) {
  auto list = list_for_rows(call, 1);
  for (Tensor& row : rows_of(call.input_tensor(0))) list->push_back(std::move(row));
  call.set_output(0, to_tensor(std::move(list)));
}

void split(KernelCall& call) {
  const Tensor &tensor = call.input_tensor(0), &lengths = call.input_tensor(2);
  require(tensor.rank() >= 1, "Tensor must be at least a vector, but saw shape: ", tensor.shape());
  require(lengths.rank() == 1,
          "Expected lengths to be a vector, received shape: ", lengths.shape());
  auto list = std::make_shared<ListValue>(tensor.dtype(), shape_input(call, 1));
  const PartialShape& wanted = list->element_shape;
  require(!wanted.has_rank() ||
              (wanted.rank() >= 1 && wanted.with_dim(0, kUnknownDim).accepts(tensor.shape())),
          "tensor shape ", tensor.shape(), " is not compatible with element_shape ", wanted);
  std::int64_t begin = 0;
  for (const std::int64_t length : lengths.flat<std::int64_t>()) {
    require(length >= 0, "Invalid value in lengths: ", length);
    require(length <= tensor.dim(0) - begin, "Attempting to slice [", begin, ", ", begin + length,
            "] from tensor with length ", tensor.dim(0));
    list->push_back(tensor.slice(begin, begin + length));
    begin += length;
  }
  require(begin == tensor.dim(0), "Unused values in tensor. Length of tensor: ", tensor.dim(0),
          " Values used: ", begin);
  call.set_output(0, to_tensor(std::move(list)));
}

std::int64_t highest_index(std::span<const std::int64_t> indices) {
  std::int64_t highest = -1;
  for (const std::int64_t index : indices) {
    require(index >= 0, "Indices in TensorListScatter must all be non-negative.");
    highest = std::max(highest, index);
  }
  return highest;
}

void put_rows(ListValue& list, std::span<const std::int64_t> indices, const Tensor& tensor) {
  std::vector<Tensor> rows = rows_of(tensor);
  for (std::size_t i = 0; i < rows.size(); ++i)
    list.set(static_cast<std::size_t>(indices[i]), std::move(rows[i]));
}

void scatter(KernelCall& call) {
  const Tensor& tensor = call.input_tensor(0);
  require(tensor.rank() >= 1, "Tensor must be at least a vector, but saw shape: ", tensor.shape());
  const std::vector<std::int64_t> indices = indices_input(call, 1);
  require(static_cast<std::int64_t>(indices.size()) == tensor.dim(0),
          "Invalid number of rows in input tensor. Expected: ", indices.size(),
          " Actual: ", tensor.dim(0));
  auto list = list_for_rows(call, 2);
  const std::int64_t wanted = call.input_count() > 3 ? scalar_input(call, 3) : -1;
  require(wanted >= -1, "TensorListScatter expects num_elements >= -1, found: ", wanted);
  const std::int64_t highest = highest_index(indices);
  require(wanted < 0 || highest < wanted, "TensorListScatter: Trying to scatter at index ", highest,
          " in list with size ", wanted);
  list->elements.resize(static_cast<std::size_t>(wanted < 0 ? highest + 1 : wanted));
  put_rows(*list, indices, tensor);
  call.set_output(0, to_tensor(std::move(list)));
}

void scatter_into(KernelCall& call) {
  const ListValue& seen = list_input(call);
  check_element_type(call, seen);
  const Tensor tensor = call.input_tensor(1);
  require(tensor.rank() >= 1, "Tensor must be at least a vector, but saw shape: ", tensor.shape());
  const std::vector<std::int64_t> indices = indices_input(call, 2);
  require(static_cast<std::int64_t>(indices.size()) == tensor.dim(0),
          "Expected len(indices) == tensor.shape[0], but saw: ", indices.size(), " vs. ",
          tensor.dim(0));
  const Shape row = tensor.shape().without_dim(0);
  require(seen.element_shape.accepts(row), "Specified a list with shape ", seen.element_shape,
          " from a tensor with shape ", row);
  const auto size = static_cast<std::size_t>(highest_index(indices) + 1);
  ListValue& list = list_to_change(call);
  if (size > list.elements.size()) list.elements.resize(size);
  put_rows(list, indices, tensor);
}

constexpr KernelEntry kEntries[] = {
    quick_kernel(kTensorListFromTensor, from_tensor),
    quick_kernel(kTensorListSplit, split),
    quick_kernel(kTensorListScatter, scatter),
    quick_kernel(kTensorListScatterV2, scatter),
    quick_kernel(kTensorListScatterIntoExistingList, scatter_into),
};

}  // namespace

extern const KernelTable kListRowsCpu{kEntries};

}  // namespace rill
