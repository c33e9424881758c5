#include "rill/ops/list/list_kernel.h"

#include <atomic>

namespace rill {

const ListValue& list_in(const Variant& variant) {
  const auto* list = variant.get<ListValue>();
  require(list != nullptr, "Input handle is not a list. Saw: 'Variant<type: ",
          variant.empty() ? "empty" : variant.type_name(), ">'");
  return *list;
}

const ListValue& list_input(const KernelCall& call, int i) {
  const Tensor& handle = call.input_tensor(i);
  require(handle.rank() == 0, "Input list must be a scalar saw: ", handle.shape());
  return list_in(handle.scalar_value<Variant>());
}

namespace {

// The executor offers input 0 as output 0 where this kernel is its last reader. The variant may
// have been copied to other tensors before, and the list may be an input twice.
bool is_mine(const KernelCall& call, const ListValue& list) {
  const Tensor& handle = call.input_tensor(0);
  if (!call.output_tensor(0).shares_storage(handle)) return false;
  for (int i = 1; i < call.input_count(); ++i)
    if (call.input_tensor(i).shares_storage(handle)) return false;
  const bool alone = list.weak_from_this().use_count() == 1;
  std::atomic_thread_fence(std::memory_order_acquire);  // others have read for the last time
  return alone;
}

}  // namespace

ListValue& list_to_change(const KernelCall& call) {
  const ListValue& list = list_input(call);
  if (is_mine(call, list)) return const_cast<ListValue&>(list);
  auto copy = std::make_shared<ListValue>(list);
  ListValue& mine = *copy;
  call.set_output(0, to_tensor(std::move(copy)));
  return mine;
}

void check_element_type(const KernelCall& call, const ListValue& list) {
  const auto dtype = call.node().attr<DType>("element_dtype");
  require(dtype == list.dtype, "Invalid data types; op elements ", dtype, " but list elements ",
          list.dtype);
}

void append_checked(ListValue& list, const Tensor& element) {
  require(list.element_shape.accepts(element.shape()),
          "Tried to append a tensor with incompatible shape to a list. Op element shape: ",
          element.shape(), " list shape: ", list.element_shape);
  require(list.dtype == element.dtype(), "Invalid data types; list elements ", list.dtype,
          " but tried to append ", element.dtype());
  const auto size = static_cast<std::int64_t>(list.elements.size());
  require(list.most < 0 || size < list.most,
          "Tried to push item into a full list list size: ", size,
          " max_num_elements: ", list.most);
  list.push_back(element);
}

PartialShape shape_input(const KernelCall& call, int i) {
  const Tensor& given = call.input_tensor(i);
  require(given.rank() <= 1, "Shape must be at most rank 1 but is rank ", given.rank());
  std::vector<std::int64_t> dims;
  if (given.dtype() == DType::i32) {
    dims.assign(given.data<std::int32_t>(), given.data<std::int32_t>() + given.element_count());
  } else {
    dims.assign(given.data<std::int64_t>(), given.data<std::int64_t>() + given.element_count());
  }
  if (given.rank() == 0) {
    require(dims[0] == -1,
            "The only valid scalar shape tensor is the fully unknown shape specified as -1.");
    return {};
  }
  for (const std::int64_t dim : dims) require(dim >= -1, "Dimension ", dim, " must be >= -1");
  return PartialShape(dims);
}

PartialShape merged_shape(const PartialShape& a, const PartialShape& b) {
  require(a.is_compatible(b), "PartialTensorShape: Incompatible shapes during merge: ", a, " vs. ",
          b);
  return a.merged(b);
}

std::int64_t scalar_input(const KernelCall& call, int i) {
  const Tensor& number = call.input_tensor(i);
  require(number.element_count() == 1, "input ", i, " of ", call.node().op->name,
          " must be a tensor size 1, but got ", number.shape());
  return *number.data<std::int32_t>();
}

Tensor zero_element(const ListValue& list, const PartialShape& shape) {
  return Tensor::zeros(list.dtype, shape.full());
}

std::vector<Tensor> rows_of(const Tensor& tensor) {
  require(tensor.rank() >= 1, "Tensor must be at least a vector, but saw shape: ", tensor.shape());
  const Shape row = tensor.shape().without_dim(0);
  std::vector<Tensor> rows;
  rows.reserve(static_cast<std::size_t>(tensor.dim(0)));
  for (std::int64_t i = 0; i < tensor.dim(0); ++i)
    rows.push_back(tensor.slice(i, i + 1).reshaped(row));
  return rows;
}

}  // namespace rill
