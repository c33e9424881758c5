#include <algorithm>
#include <cstring>

#include "rill/kernel/kernel_entries.h"
#include "rill/ops/list/list_kernel.h"

namespace rill {

extern const OpDecl kTensorListStack, kTensorListConcat, kTensorListConcatV2, kTensorListGather;

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

// --- joining along the first dimension ----------------------------------------------------------

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

constexpr KernelEntry kEntries[] = {
    allocating_kernel(kTensorListStack, stack),
    allocating_kernel(kTensorListGather, gather),
    allocating_kernel(kTensorListConcat, concat),
    allocating_kernel(kTensorListConcatV2, concat_v2),
};

}  // namespace

extern const KernelTable kListJoinCpu{kEntries};

}  // namespace rill
