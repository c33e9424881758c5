#include <algorithm>
#include <cstring>

#include "rill/ops/list/list_kernel.h"

namespace rill {

extern const OpDecl kTensorListStack, kTensorListConcat, kTensorListConcatV2, kTensorListFromTensor,
    kTensorListSplit, kTensorListGather, kTensorListScatter, kTensorListScatterV2,
    kTensorListScatterIntoExistingList;

namespace {

Shape in_front(std::int64_t dim, const Shape& rest) {
  Shape shape{dim};
  for (const std::int64_t d : rest.dims()) shape.add_dim(d);
  return shape;
}

// Some elements of a list in some order: those at `indices`, or all.
struct Chosen {
  const ListValue& list;
  const std::int32_t* indices = nullptr;
  std::size_t count = list.elements.size();

  const Tensor& operator[](std::size_t i) const {
    return list.elements[indices == nullptr ? i : static_cast<std::size_t>(indices[i])];
  }
};

// Puts the elements one behind the other; start(i) is where element i goes, in elements of the
// output, and what has no value becomes zeros.
template <class Start>
void fill(const KernelCall& call, const Tensor& output, const Chosen& chosen, Start start) {
  const std::size_t size = element_size(output.dtype());
  auto* const to = static_cast<std::byte*>(output.raw_data());
  const double bytes = static_cast<double>(output.byte_size()) /
                       static_cast<double>(std::max<std::size_t>(chosen.count, 1));
  call.parallel_for(chosen.count, 20 + bytes / 8, [&](std::size_t begin, std::size_t stop) {
    for (std::size_t i = begin; i < stop; ++i) {
      const Tensor& element = chosen[i];
      std::byte* const at = to + static_cast<std::size_t>(start(i)) * size;
      const auto count = static_cast<std::size_t>(start(i + 1) - start(i));
      if (element.has_value()) {
        copy_elements(output.dtype(), at, element.raw_data(), count);
      } else if (is_trivial(output.dtype())) {  // fresh strings and variants are empty already
        std::memset(at, 0, count * size);
      }
    }
  });
}

// Elements of one shape, stacked.
void stack_elements(KernelCall& call, const Chosen& chosen, const Shape& shape) {
  const Tensor& output =
      call.allocate_output(0, in_front(static_cast<std::int64_t>(chosen.count), shape));
  fill(call, output, chosen, [count = shape.element_count()](std::size_t i) {
    return static_cast<std::int64_t>(i) * count;
  });
}

PartialShape merged_with_elements(const Chosen& chosen, PartialShape shape) {
  for (std::size_t i = 0; i < chosen.count; ++i) {
    const Tensor& element = chosen[i];
    if (element.has_value() && !(shape.is_full() && shape == element.shape()))
      shape = merged_shape(shape, element.shape());
  }
  return shape;
}

void stack(KernelCall& call) {
  const ListValue& list = list_input(call);
  check_element_type(call, list);
  const auto wanted = call.node().attr<std::int64_t>("num_elements");
  require(wanted < 0 || wanted == static_cast<std::int64_t>(list.elements.size()),
          "Operation expected a list with ", wanted, " elements but got a list with ",
          list.elements.size(), " elements.");
  PartialShape shape = merged_shape(shape_input(call, 1), list.element_shape);
  require(shape.is_full() || list.elements.size() > 0,
          "Tried to stack elements of an empty list with non-fully-defined element_shape: ", shape);
  shape = merged_with_elements({list}, std::move(shape));
  require(shape.is_full(),
          "Tried to stack list which only contains uninitialized tensors and has a "
          "non-fully-defined element_shape: ",
          shape);
  stack_elements(call, {list}, shape.full());
}

std::vector<std::int64_t> indices_input(const KernelCall& call, int i) {
  const auto given = call.input<std::int32_t>(i);
  return {given.begin(), given.end()};
}

void gather(KernelCall& call) {
  const ListValue& list = list_input(call);
  check_element_type(call, list);
  const auto indices = call.input<std::int32_t>(1);
  for (const std::int32_t index : indices)
    require(index >= 0 && index < static_cast<std::int64_t>(list.elements.size()),
            "Trying to gather element ", index, " in a list with ", list.elements.size(),
            " elements.");
  PartialShape shape = merged_shape(shape_input(call, 2), list.element_shape);
  require(shape.is_full() || !indices.empty(),
          "Tried to gather 0-elements from a list with non-fully-defined shape: ", shape);
  const Chosen chosen{list, indices.data(), indices.size()};
  shape = merged_with_elements(chosen, std::move(shape));
  require(
      shape.is_full(),
      "Tried to gather uninitialized tensors from a list with non-fully-defined element_shape: ",
      shape);
  stack_elements(call, chosen, shape.full());
}

// --- joining along the first dimension
// ------------------------------------------------------------

PartialShape rest_of(const PartialShape& shape) {
  if (!shape.has_rank()) return {};
  require(shape.rank() >= 1,
          "Concat requires elements to be at least vectors, found scalars instead.");
  return PartialShape(shape.dims().subspan(1));
}

// The first dimension of all elements that have a value, if they agree.
std::int64_t common_length(const ListValue& list) {
  std::int64_t common = kUnknownDim;
  for (std::size_t i = 0; i < list.elements.size(); ++i) {
    if (!list.elements[i].has_value()) continue;
    if (common >= 0 && common != list.elements[i].dim(0)) return kUnknownDim;
    common = list.elements[i].dim(0);
  }
  return common;
}

// How long each element is; those without a value are as long as the element shape, the given
// lengths or the others tell, in this order.
std::vector<std::int64_t> lengths_of(const ListValue& list, std::int64_t stated,
                                     std::span<const std::int64_t> given) {
  if (stated < 0 && given.empty()) stated = common_length(list);
  std::vector<std::int64_t> lengths(list.elements.size());
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const Tensor& element = list.elements[i];
    if (!element.has_value() && stated < 0) {
      require(i < given.size(), "List contains uninitialized tensor at index ", i,
              " but leading_dims has only ", given.size(), " elements.");
      require(given[i] >= 0, "leading_dims must not be negative, but element ", i, " is ",
              given[i]);
    }
    lengths[i] = element.has_value() ? element.dim(0) : stated >= 0 ? stated : given[i];
  }
  return lengths;
}

Shape joined_rest(const ListValue& list, PartialShape rest) {
  require(list.elements.size() > 0 || rest.is_full(),
          "All except the first dimension must be fully defined when concating an empty tensor "
          "list. element_shape: ",
          rest);
  for (std::size_t i = 0; i < list.elements.size(); ++i) {
    const Tensor& element = list.elements[i];
    if (!element.has_value()) continue;
    require(element.rank() >= 1, "Concat saw a scalar shape at index ", i,
            " but requires at least vectors.");
    rest = merged_shape(rest, element.shape().without_dim(0));
  }
  require(rest.is_full(),
          "Trying to concat list with only uninitialized tensors but "
          "element_shape_except_first_dim is not fully defined: ",
          rest);
  return rest.full();
}

void concat_elements(KernelCall& call, const PartialShape& stated,
                     std::span<const std::int64_t> given) {
  const ListValue& list = list_input(call);
  check_element_type(call, list);
  const PartialShape shape = merged_shape(stated, list.element_shape);
  const Shape rest = joined_rest(list, rest_of(shape));
  const auto lengths = lengths_of(list, shape.has_rank() ? shape[0] : kUnknownDim, given);
  std::vector<std::int64_t> starts{0};  // in rows; one more than there are elements
  for (const std::int64_t length : lengths) {
    std::int64_t end = 0;
    require(!__builtin_add_overflow(starts.back(), length, &end), "the sum of lengths overflows");
    starts.push_back(end);
  }
  const Tensor& output = call.allocate_output(0, in_front(starts.back(), rest));
  fill(call, output, {list},
       [&starts, row = rest.element_count()](std::size_t i) { return starts[i] * row; });
  call.set_output(1, Tensor::of<std::int64_t>({static_cast<std::int64_t>(lengths.size())},
                                              std::span<const std::int64_t>(lengths)));
}

void concat(KernelCall& call) {
  concat_elements(call, call.node().attr<PartialShape>("element_shape"), {});
}
void concat_v2(KernelCall& call) {
  concat_elements(call, shape_input(call, 1), call.input<std::int64_t>(2));
}

// --- lists from tensors
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
    require(length <= tensor.dim(0) - begin, "Attempting to slice [", begin, ", ", begin, " + ",
            length, "] from tensor with length ", tensor.dim(0));
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

constexpr KernelEntry cheap(const OpDecl& op, KernelFn run) {
  return {.op = &op, .run = run, .allocates = true, .expensive = false};
}

constexpr KernelEntry kEntries[] = {
    {.op = &kTensorListStack, .run = stack, .allocates = true},
    {.op = &kTensorListGather, .run = gather, .allocates = true},
    {.op = &kTensorListConcat, .run = concat, .allocates = true},
    {.op = &kTensorListConcatV2, .run = concat_v2, .allocates = true},
    cheap(kTensorListFromTensor, from_tensor),
    cheap(kTensorListSplit, split),
    cheap(kTensorListScatter, scatter),
    cheap(kTensorListScatterV2, scatter),
    cheap(kTensorListScatterIntoExistingList, scatter_into),
};

}  // namespace

extern const KernelTable kListJoinCpu{kEntries};

}  // namespace rill
