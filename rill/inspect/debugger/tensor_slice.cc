#include "rill/inspect/debugger/tensor_slice.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "rill/base/error.h"
#include "rill/base/subscript.h"

namespace rill::debugger {
namespace {

// What is picked of one axis: `count` indices from `begin` on; one alone takes the axis away.
struct Pick {
  std::int64_t begin = 0, step = 1, count = 0;
  bool is_index = false;
};

[[noreturn]] void malformed(const std::string& text) {
  raise(Code::kInvalidArgument, "Invalid tensor-slicing string: ", text);
}

std::optional<std::int64_t> number(std::string_view text, const std::string& whole) {
  long long value = 0;
  if (strip(text).empty()) return {};
  if (!parse_int(strip(text), &value)) malformed(whole);
  return value;
}

Pick index(std::int64_t i, std::int64_t size, int axis) {
  if (i < -size || i >= size)
    raise(Code::kOutOfRange, "index ", i, " is out of bounds for axis ", axis, " with size ", size);
  return {.begin = i < 0 ? i + size : i, .count = 1, .is_index = true};
}

Pick range(std::span<const std::string_view> parts, std::int64_t size, const std::string& whole) {
  const std::int64_t step = parts.size() > 2 ? number(parts[2], whole).value_or(1) : 1;
  if (step == 0 || parts.size() > 3) malformed(whole);
  const auto bound = [&](std::optional<std::int64_t> at, std::int64_t otherwise) {
    if (!at) return otherwise;
    const std::int64_t i = *at < 0 ? *at + size : *at;
    return step > 0 ? std::clamp<std::int64_t>(i, 0, size)
                    : std::clamp<std::int64_t>(i, -1, size - 1);
  };
  const std::int64_t begin = bound(number(parts[0], whole), step > 0 ? 0 : size - 1);
  const std::int64_t end = bound(number(parts[1], whole), step > 0 ? size : -1);
  const std::int64_t distance = step > 0 ? end - begin : begin - end;
  const std::int64_t stride = std::abs(step);
  return {
      .begin = begin, .step = step, .count = distance > 0 ? (distance + stride - 1) / stride : 0};
}

std::vector<Pick> picks_of(const Tensor& tensor, const std::string& slicing) {
  std::vector<Pick> picks;
  const std::string inside = slicing.substr(1, slicing.size() - 2);
  const std::vector<std::string_view> pieces = split(inside, ',');
  const int rank = tensor.rank();
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    const std::string_view piece = strip(pieces[k]);
    if (piece == "...") {
      const int after = static_cast<int>(pieces.size() - k - 1);
      while (static_cast<int>(picks.size()) < rank - after)
        picks.push_back({.count = tensor.shape()[static_cast<int>(picks.size())]});
      continue;
    }
    const int axis = static_cast<int>(picks.size());
    if (axis >= rank)
      raise(Code::kOutOfRange, "too many indices for array: array is ", rank, "-dimensional, but ",
            pieces.size(), " were indexed");
    const std::int64_t size = tensor.shape()[axis];
    const std::vector<std::string_view> parts = split(piece, ':');
    const auto alone = parts.size() == 1 ? number(piece, slicing) : std::nullopt;
    if (parts.size() == 1 && !alone) malformed(slicing);
    picks.push_back(alone ? index(*alone, size, axis) : range(parts, size, slicing));
  }
  while (static_cast<int>(picks.size()) < rank)
    picks.push_back({.count = tensor.shape()[static_cast<int>(picks.size())]});
  return picks;
}

}  // namespace

Tensor sliced(const Tensor& tensor, const std::string& slicing) {
  if (slicing.empty()) return tensor;
  if (slicing.size() < 3 || slicing.front() != '[' || slicing.back() != ']') malformed(slicing);
  const std::vector<Pick> picks = picks_of(tensor, slicing);
  std::vector<std::int64_t> dims, strides(picks.size(), 1);
  for (int axis = tensor.rank() - 2; axis >= 0; --axis)
    strides[at(axis)] = strides[at(axis + 1)] * tensor.shape()[axis + 1];
  std::vector<std::int64_t> offsets{0};
  for (std::size_t axis = 0; axis < picks.size(); ++axis) {
    const Pick& pick = picks[axis];
    if (!pick.is_index) dims.push_back(pick.count);
    std::vector<std::int64_t> next;
    for (const std::int64_t offset : offsets)
      for (std::int64_t i = 0; i < pick.count; ++i)
        next.push_back(offset + (pick.begin + i * pick.step) * strides[axis]);
    offsets = std::move(next);
  }
  Tensor result(tensor.dtype(), Shape(dims));
  const std::size_t size = tensor.dtype() == DType::string ? sizeof(std::string)
                           : tensor.element_count() > 0
                               ? tensor.byte_size() / at(tensor.element_count())
                               : 0;
  for (std::size_t i = 0; i < offsets.size(); ++i)
    copy_elements(tensor.dtype(), static_cast<char*>(result.raw_data()) + i * size,
                  static_cast<const char*>(tensor.raw_data()) + at(offsets[i]) * size, 1);
  return result;
}

}  // namespace rill::debugger
