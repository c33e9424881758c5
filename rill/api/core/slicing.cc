#include "rill/api/core/slicing.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "rill/api/core/default_graph.h"
#include "rill/api/core/quick_slice.h"
#include "rill/base/error.h"

namespace rill {
namespace {

// The bounds of all parts, and which of them are to be ignored.
struct Bounds {
  std::vector<Input> begin, end, stride;
  std::int64_t begin_mask = 0, end_mask = 0, shrink_mask = 0, new_axis_mask = 0, ellipsis_mask = 0;

  void add(Input from, Input to, Input by) {
    begin.push_back(std::move(from));
    end.push_back(std::move(to));
    stride.push_back(std::move(by));
  }
};

std::int64_t number_in(const Tensor& index) {
  return index.dtype() == DType::i64 ? *index.data<std::int64_t>() : *index.data<std::int32_t>();
}

Input one_more(Scope& scope, const Input& index) {
  if (index.is_output()) return scope.add("AddV2", {index.output(), 1}, {}, "add").output();
  return Input(Input::MakeValue([index](DType wanted) {
    const Tensor given = index.value(DType::invalid);
    require(
        given.shape().rank() == 0 && (given.dtype() == DType::i32 || given.dtype() == DType::i64),
        "Only integers, slices, ellipsis, tf.newaxis and scalar tensors are valid indices");
    const std::int64_t value = number_in(given);
    const std::int64_t next = value == std::numeric_limits<std::int64_t>::max() ? value : value + 1;
    if (wanted == DType::i64 || !std::in_range<std::int32_t>(next)) return Tensor::scalar(next);
    return Tensor::scalar(static_cast<std::int32_t>(next));
  }));
}

Bounds bounds_of(Scope& scope, const std::vector<SlicePart>& parts) {
  Bounds b;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::int64_t bit = std::int64_t{1} << i;
    if (const auto* index = std::get_if<Input>(&parts[i])) {
      b.add(*index, one_more(scope, *index), 1);
      b.shrink_mask |= bit;
    } else if (const auto* range = std::get_if<SliceRange>(&parts[i])) {
      b.add(range->start.value_or(0), range->stop.value_or(0), range->step.value_or(1));
      if (!range->start) b.begin_mask |= bit;
      if (!range->stop) b.end_mask |= bit;
    } else {
      b.add(0, 0, 1);
      (std::holds_alternative<Ellipsis>(parts[i]) ? b.ellipsis_mask : b.new_axis_mask) |= bit;
    }
  }
  return b;
}

// A vector of all bounds: a constant when they all are, else a Pack.
Output vector_of(Scope& scope, const Inputs& items, DType type, std::string_view name) {
  const bool all_values = std::ranges::all_of(items, &Input::is_value);
  if (!all_values) {
    Scope inner = scope.named(name);
    std::vector<Input> parts;
    for (std::size_t i = 0; i < items.size(); ++i)
      parts.emplace_back(items[i].as_output(inner, std::to_string(i), type));
    return scope.add("Pack", {std::move(parts)}, {}, inner.name() + "/").output();
  }
  Tensor all(type, {static_cast<std::int64_t>(items.size())});
  const std::size_t size = element_size(type);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Tensor item = items[i].value(type);
    require(item.shape().rank() == 0 && item.dtype() == type, "indices must be integers");
    std::memcpy(static_cast<char*>(all.raw_data()) + i * size, item.raw_data(), size);
  }
  return scope.constant(std::move(all), name);
}

bool needs_int64(const Input& index) {
  if (index.is_output()) return base_type(index.output().dtype()) == DType::i64;
  const Tensor value = index.value(DType::invalid);
  return value.dtype() == DType::i64 && value.shape().rank() == 0 &&
         !std::in_range<std::int32_t>(number_in(value));
}

DType index_type(const Bounds& b) {
  for (const auto* list : {&b.begin, &b.end, &b.stride})
    if (std::ranges::any_of(*list, needs_int64)) return DType::i64;
  return DType::i32;
}

}  // namespace

namespace {

// Bounds that are small numbers: nothing that a tensor says.
class SmallBounds {
 public:
  // False where they are not.
  bool take(const std::vector<SlicePart>& parts) {
    for (const SlicePart& part : parts) {
      const std::int64_t bit = std::int64_t{1} << count_;
      std::int32_t begin = 0, end = 0, stride = 1;
      if (const auto* index = std::get_if<Input>(&part)) {
        if (!number(*index, begin) || begin == std::numeric_limits<std::int32_t>::max())
          return false;
        end = begin + 1;
        shrink_mask_ |= bit;
      } else if (const auto* range = std::get_if<SliceRange>(&part)) {
        if (!bound(range->start, begin, begin_mask_, bit) ||
            !bound(range->stop, end, end_mask_, bit) ||
            (range->step && !number(*range->step, stride)))
          return false;
      } else {
        (std::holds_alternative<Ellipsis>(part) ? ellipsis_mask_ : new_axis_mask_) |= bit;
      }
      begin_[count_] = begin, end_[count_] = end, stride_[count_] = stride;
      ++count_;
    }
    return true;
  }
  Output slice(Scope& scope, const Output& x) const {
    std::vector<InputArg> inputs;
    inputs.reserve(4);
    inputs.emplace_back(x);
    for (const auto* bounds : {&begin_, &end_, &stride_})
      inputs.emplace_back(scope.constant(Tensor::of<std::int32_t>(
          {static_cast<std::int64_t>(count_)}, std::span(bounds->data(), count_))));
    return scope
        .add("StridedSlice", std::move(inputs),
             {{"begin_mask", begin_mask_},
              {"end_mask", end_mask_},
              {"ellipsis_mask", ellipsis_mask_},
              {"new_axis_mask", new_axis_mask_},
              {"shrink_axis_mask", shrink_mask_}})
        .output();
  }

 private:
  static bool number(const Input& input, std::int32_t& number) {
    if (!input.is_value()) return false;
    const Tensor value = input.value(DType::invalid);
    if (value.dtype() != DType::i32 || value.rank() != 0) return false;
    number = value.scalar_value<std::int32_t>();
    return true;
  }
  static bool bound(const OptionalInput& input, std::int32_t& value, std::int64_t& mask,
                    std::int64_t bit) {
    if (input) return number(*input, value);
    mask |= bit;
    return true;
  }

  std::size_t count_ = 0;
  std::array<std::int32_t, 32> begin_, end_, stride_;
  std::int64_t begin_mask_ = 0, end_mask_ = 0, ellipsis_mask_ = 0, new_axis_mask_ = 0,
               shrink_mask_ = 0;
};

}  // namespace

namespace {

// The whole number that an input is; false where it is none, or is a tensor.
bool number_in(const Input& input, std::int64_t& number) {
  if (!input.is_value()) return false;
  const Tensor value = input.value(DType::invalid);
  if (value.rank() != 0 || (value.dtype() != DType::i32 && value.dtype() != DType::i64))
    return false;
  number = number_in(value);
  return true;
}

bool bound_in(const OptionalInput& input, bool& is_there, std::int64_t& number) {
  is_there = input.has_value();
  return !is_there || number_in(*input, number);
}

bool plain_part(const SlicePart& part, PlainPart& plain) {
  using Kind = PlainPart::Kind;
  if (const auto* index = std::get_if<Input>(&part)) return number_in(*index, plain.start);
  if (const auto* range = std::get_if<SliceRange>(&part)) {
    plain.kind = Kind::kRange;
    std::int64_t step = 1;
    return (!range->step || number_in(*range->step, step)) && step == 1 &&
           bound_in(range->start, plain.has_start, plain.start) &&
           bound_in(range->stop, plain.has_stop, plain.stop);
  }
  plain.kind = std::holds_alternative<Ellipsis>(part) ? Kind::kEllipsis : Kind::kNewAxis;
  return true;
}

Output block_of(const Output& x, const std::vector<SlicePart>& parts) {
  std::array<PlainPart, 8> plain;
  if (parts.size() > plain.size()) return {};
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (!plain_part(parts[i], plain[i])) return {};
  return rill::block_of(x, std::span(plain.data(), parts.size()));
}

}  // namespace

Output slice(const Scope& scope, Output x, const std::vector<SlicePart>& parts) {
  if (scope.graph().is_eager())
    if (const Output block = block_of(x, parts); block.node) return block;
  require(parts.size() < 32, "a tensor cannot be indexed with ", parts.size(), " parts");
  if (SmallBounds small; scope.graph().is_eager() && small.take(parts)) {
    Scope in = scope;
    return small.slice(in, x);
  }
  Scope outer = scope;
  const Bounds b = bounds_of(outer, parts);
  const DType type = index_type(b);
  Scope inner = outer.named("strided_slice");
  const Output begin = vector_of(inner, b.begin, type, "stack");
  const Output end = vector_of(inner, b.end, type, "stack_1");
  const Output stride = vector_of(inner, b.stride, type, "stack_2");
  return outer
      .add("StridedSlice", {x, begin, end, stride},
           {{"begin_mask", b.begin_mask},
            {"end_mask", b.end_mask},
            {"ellipsis_mask", b.ellipsis_mask},
            {"new_axis_mask", b.new_axis_mask},
            {"shrink_axis_mask", b.shrink_mask}},
           inner.name() + "/")
      .output();
}

Output Output::operator[](const IndexPart& part) const {
  return slice(here(part.at), *this, {part.part});
}

Output Output::operator[](std::initializer_list<IndexPart> parts) const {
  std::vector<SlicePart> plain;
  for (const IndexPart& part : parts) plain.push_back(part.part);
  return parts.size() == 0 ? *this : slice(here(parts.begin()->at), *this, plain);
}

Output slice(Output x, const std::vector<SlicePart>& parts, std::source_location at) {
  return slice(here(at), x, parts);
}

}  // namespace rill
