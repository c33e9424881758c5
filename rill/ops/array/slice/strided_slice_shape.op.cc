#include "rill/ops/array/slice/strided_slice_shape.h"

#include <algorithm>

#include "rill/ops/array/values/index_values.h"

namespace rill {
namespace {

bool bit(std::int64_t mask, int i) { return i < 64 && (mask >> i & 1) != 0; }

// One entry of the arguments as it applies to one dimension of the input.
struct Entry {
  const std::int64_t* begin;  // null when not known
  const std::int64_t* end;
  std::int64_t stride;
  bool begin_masked, end_masked, shrink;
};

struct Range {
  std::int64_t begin, size;  // -1 when not known
};

std::int64_t from_front(std::int64_t index, std::int64_t dim) {
  return index < 0 ? index + dim : index;
}

Range single_index(const Entry& entry, std::int64_t dim, int axis) {
  require(entry.stride > 0, "only stride 1 allowed on non-range indexing.");
  if (entry.begin == nullptr || dim < 0) return {0, 1};
  const std::int64_t index = from_front(*entry.begin, dim);
  require(index >= 0 && index < dim, "slice index ", index, " of dimension ", axis,
          " out of bounds.");
  return {index, 1};
}

Range index_range(const Entry& entry, std::int64_t dim) {
  const bool begin_known = entry.begin_masked || entry.begin != nullptr;
  const bool end_known = entry.end_masked || entry.end != nullptr;
  if (dim < 0 || !begin_known || !end_known) return {0, kUnknownDim};
  const bool forward = entry.stride > 0;
  const std::int64_t low = forward ? 0 : -1, high = forward ? dim : dim - 1;
  const auto place = [&](bool masked, const std::int64_t* index, std::int64_t open) {
    return masked ? open : std::clamp(from_front(*index, dim), low, high);
  };
  const std::int64_t begin = place(entry.begin_masked, entry.begin, forward ? low : high);
  const std::int64_t end = place(entry.end_masked, entry.end, forward ? high : low);
  const std::int64_t length = end - begin;
  if (length == 0 || (length < 0) != (entry.stride < 0)) return {begin, 0};
  return {begin, length / entry.stride + (length % entry.stride != 0 ? 1 : 0)};
}

// Adds the input's next dimension to the view.
void add_dim(SliceView& view, const PartialShape& input, const Entry& entry) {
  const int axis = view.size.size();
  const std::int64_t dim = input.dim(axis);
  const Range range = entry.shrink ? single_index(entry, dim, axis) : index_range(entry, dim);
  view.begin.push_back(range.begin);
  view.size.push_back(range.size);
  view.stride.push_back(range.size <= 1 ? 1 : entry.stride);
  if (!entry.shrink) view.shape.add_dim(range.size);
}

void add_whole_dims(SliceView& view, const PartialShape& input, int until) {
  while (view.size.size() < until) add_dim(view, input, {nullptr, nullptr, 1, true, true, false});
}

}  // namespace

SliceMasks slice_masks(const AttrMap& attrs) {
  return {attr<std::int64_t>(attrs, "begin_mask"), attr<std::int64_t>(attrs, "end_mask"),
          attr<std::int64_t>(attrs, "ellipsis_mask"), attr<std::int64_t>(attrs, "new_axis_mask"),
          attr<std::int64_t>(attrs, "shrink_axis_mask")};
}

SliceView strided_slice_view(const PartialShape& input, const std::vector<std::int64_t>* begin,
                             const std::vector<std::int64_t>* end,
                             const std::vector<std::int64_t>& strides, const SliceMasks& masks) {
  const auto count = static_cast<int>(strides.size());
  int ellipsis = count;  // one is implied at the end
  int taken_after = 0;   // dimensions that the entries behind the ellipsis take
  for (int i = 0; i < count; ++i) {
    if (bit(masks.ellipsis, i)) {
      require(ellipsis == count, "Multiple ellipses in slice spec not allowed");
      ellipsis = i;
    } else if (ellipsis < count && !bit(masks.new_axis, i)) {
      ++taken_after;
    }
  }
  SliceView view;
  view.shape = PartialShape::scalar();
  for (int i = 0; i < count; ++i) {
    if (i == ellipsis) {
      add_whole_dims(view, input, input.rank() - taken_after);
    } else if (bit(masks.new_axis, i)) {
      view.shape.add_dim(1);
    } else {
      const int axis = view.size.size();
      require(input.rank() > 0, "Attempting to slice scalar input.");
      require(axis < input.rank(), "Index out of range using input dim ", axis, "; input has only ",
              input.rank(), " dims");
      const auto at = static_cast<std::size_t>(i);
      require(strides[at] != 0, "strides[", i, "] must be non-zero");
      add_dim(view, input,
              {begin == nullptr ? nullptr : &(*begin)[at], end == nullptr ? nullptr : &(*end)[at],
               strides[at], bit(masks.begin, i), bit(masks.end, i), bit(masks.shrink_axis, i)});
    }
  }
  add_whole_dims(view, input, input.rank());
  return view;
}

SliceView strided_slice_view(const Shape& input, const Tensor& begin, const Tensor& end,
                             const Tensor& strides, const SliceMasks& masks) {
  require(begin.rank() == 1 && begin.shape() == end.shape() && begin.shape() == strides.shape(),
          "Expected begin, end, and strides to be 1D equal size tensors, but got shapes ",
          begin.shape(), ", ", end.shape(), ", and ", strides.shape(), " instead.");
  std::vector<std::int64_t> b, e, s;
  for (std::int64_t i = 0; i < begin.element_count(); ++i) {
    b.push_back(int_at(begin, i));
    e.push_back(int_at(end, i));
    s.push_back(int_at(strides, i));
  }
  return strided_slice_view(input, &b, &e, s, masks);
}

}  // namespace rill
