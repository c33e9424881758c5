#include "rill/ops/list/list_kernel.h"

#include "rill/kernel/kernel_entries.h"
namespace rill {

extern const OpDecl kEmptyTensorList, kTensorListReserve, kTensorListPushBack, kTensorListPopBack,
    kTensorListLength, kTensorListElementShape, kTensorListResize, kTensorListGetItem,
    kTensorListSetItem;

namespace {

std::shared_ptr<ListValue> new_list(const KernelCall& call, std::int64_t most) {
  return std::make_shared<ListValue>(call.node().attr<DType>("element_dtype"), shape_input(call, 0),
                                     most);
}

void empty_list(KernelCall& call) {
  const Tensor& most = call.input_tensor(1);
  require(most.rank() == 0,
          "max_num_elements expected to be a scalar but got shape: ", most.shape());
  call.set_output(0, to_tensor(new_list(call, most.scalar_value<std::int32_t>())));
}

void reserve(KernelCall& call) {
  const Tensor& count = call.input_tensor(1);
  require(count.rank() == 0, "The num_elements to reserve must be a tensor size 1, but got ",
          count.shape());
  const auto size = count.scalar_value<std::int32_t>();
  require(size >= 0, "The num_elements to reserve must be a non negative number, but got ", size);
  auto list = new_list(call, -1);
  list->elements.resize(static_cast<std::size_t>(size));
  call.set_output(0, to_tensor(std::move(list)));
}

void push_back(KernelCall& call) {
  const Tensor element = call.input_tensor(1);
  append_checked(list_to_change(call), element);
}

void pop_back(KernelCall& call) {
  const ListValue& seen = list_input(call);
  check_element_type(call, seen);
  const std::size_t size = seen.elements.size();
  require(size > 0, "Trying to pop from an empty list.");
  Tensor last = seen.elements[size - 1];
  if (!last.has_value()) {
    const PartialShape shape = merged_shape(shape_input(call, 1), seen.element_shape);
    require(shape.is_full(),
            "Trying to read an uninitialized tensor but element_shape is not fully defined.",
            shape);
    last = zero_element(seen, shape);
  }
  list_to_change(call).elements.resize(size - 1);
  call.set_output(1, std::move(last));
}

void length(KernelCall& call) {
  const std::size_t size = list_input(call).elements.size();
  call.set_output(0, Tensor::scalar(static_cast<std::int32_t>(size)));
}

template <class T>
Tensor as_dims(const PartialShape& shape) {
  if (!shape.has_rank()) return Tensor::scalar(T{-1});
  Tensor dims(dtype_of<T>, {shape.rank()});
  for (int i = 0; i < shape.rank(); ++i) dims.data<T>()[i] = static_cast<T>(shape[i]);
  return dims;
}

void element_shape(KernelCall& call) {
  const PartialShape& shape = list_input(call).element_shape;
  call.set_output(0, call.node().output_type(0) == DType::i32 ? as_dims<std::int32_t>(shape)
                                                              : as_dims<std::int64_t>(shape));
}

void resize(KernelCall& call) {
  const std::int64_t size = scalar_input(call, 1);
  require(size >= 0, "TensorListSlice expects size to be non-negative. Got: ", size);
  list_to_change(call).elements.resize(static_cast<std::size_t>(size));
}

// Elements that have a value tell the shape of those that have none.
PartialShape shape_from_others(const ListValue& list, PartialShape shape) {
  for (std::size_t i = 0; i < list.elements.size() && !shape.is_full(); ++i)
    if (list.elements[i].has_value()) shape = merged_shape(shape, list.elements[i].shape());
  return shape;
}

void get_item(KernelCall& call) {
  const ListValue& list = list_input(call);
  check_element_type(call, list);
  const std::int64_t index = scalar_input(call, 1);
  require(index >= 0 && index < static_cast<std::int64_t>(list.elements.size()),
          "Trying to access element ", index, " in a list with ", list.elements.size(),
          " elements.");
  const Tensor& element = list.elements[static_cast<std::size_t>(index)];
  if (element.has_value()) return call.set_output(0, element);
  const PartialShape shape =
      shape_from_others(list, merged_shape(shape_input(call, 2), list.element_shape));
  require(shape.is_full(),
          "Trying to read an uninitialized tensor but element_shape is not fully defined: ", shape,
          " and no list element is set.");
  call.set_output(0, zero_element(list, shape));
}

constexpr std::int64_t kMostGrown = std::int64_t{1} << 22;

// Of lists behind TensorArrays of TensorFlow 2 whose size is dynamic.
bool grows(const KernelNode& node) {
  const auto found = node.attrs.find("_resize_if_index_out_of_bounds");
  const bool* const says = found == node.attrs.end() ? nullptr : found->second.get_if<bool>();
  return says != nullptr && *says;
}

void set_item(KernelCall& call) {
  const ListValue& seen = list_input(call);
  check_element_type(call, seen);
  const std::int64_t index = scalar_input(call, 1);
  const Tensor item = call.input_tensor(2);
  const std::size_t size = seen.elements.size();
  const bool is_new = index >= static_cast<std::int64_t>(size) && grows(call.node());
  require(index >= 0 && (is_new || index < static_cast<std::int64_t>(size)),
          "Trying to modify element ", index, " in a list with ", size, " elements.");
  require(seen.element_shape.accepts(item.shape()),
          "Tried to set a tensor with incompatible shape at a list index. Item element shape: ",
          item.shape(), " list shape: ", seen.element_shape);
  ListValue& list = list_to_change(call);
  if (is_new) {
    require(index < kMostGrown, "a list cannot grow to ", index, " elements");
    list.elements.resize(static_cast<std::size_t>(index) + 1);
  }
  list.set(static_cast<std::size_t>(index), item);
}

constexpr KernelEntry kEntries[] = {
    quick_kernel(kEmptyTensorList, empty_list),
    quick_kernel(kTensorListReserve, reserve),
    quick_kernel(kTensorListPushBack, push_back),
    quick_kernel(kTensorListPopBack, pop_back),
    quick_kernel(kTensorListLength, length),
    quick_kernel(kTensorListElementShape, element_shape),
    quick_kernel(kTensorListResize, resize),
    quick_kernel(kTensorListGetItem, get_item),
    quick_kernel(kTensorListSetItem, set_item),
};

}  // namespace

extern const KernelTable kListElementCpu{kEntries};

}  // namespace rill
