#include "rill/io/tensor_slice.h"

#include <algorithm>
#include <limits>

#include "rill/base/error.h"
#include "tensorflow/core/framework/tensor_slice.pb.h"

namespace rill {

TensorSlice::TensorSlice(std::vector<Range> ranges) : ranges_(std::move(ranges)) {
  require(ranges_.size() <= static_cast<std::size_t>(kMaxRank), "a slice has ", ranges_.size(),
          " dimensions, more than ", kMaxRank);
  for (const Range& range : ranges_) {
    const bool whole = range.length == kWhole && range.start == 0;
    require(whole || (range.start >= 0 && range.length > 0 &&
                      range.start <= std::numeric_limits<std::int64_t>::max() - range.length),
            "Expected non-negative start and positive length but got start = ", range.start,
            ", length = ", range.length);
  }
}

TensorSlice TensorSlice::whole(int rank) {
  return TensorSlice(std::vector<Range>(static_cast<std::size_t>(rank)));
}

TensorSlice TensorSlice::parse(std::string_view text) {
  std::vector<Range> ranges;
  if (text.empty()) return TensorSlice();
  for (const std::string_view part : split(text, ':')) {
    if (part == "-") {
      ranges.emplace_back();
      continue;
    }
    const auto comma = part.find(',');
    long long start = 0, length = 0;
    require(comma != part.npos && parse_int(part.substr(0, comma), &start) &&
                parse_int(part.substr(comma + 1), &length),
            "Expected a pair of numbers or '-' but got '", part, "': string = ", text);
    require(start >= 0 && length > 0,
            "Expected non-negative start and positive length but got start = ", start,
            ", length = ", length, ": string = ", text);
    ranges.push_back({start, length});
  }
  return TensorSlice(std::move(ranges));
}

TensorSlice TensorSlice::from_proto(const tensorflow::TensorSliceProto& proto) {
  std::vector<Range> ranges;
  for (const auto& extent : proto.extent()) {
    const bool given = extent.has_length_case() == tensorflow::TensorSliceProto::Extent::kLength;
    ranges.push_back({extent.start(), given ? extent.length() : kWhole});
  }
  return TensorSlice(std::move(ranges));
}

void TensorSlice::to_proto(tensorflow::TensorSliceProto* proto) const {
  proto->Clear();
  for (const Range& range : ranges_) {
    auto* extent = proto->add_extent();
    if (range.length == kWhole) continue;
    extent->set_start(range.start);
    extent->set_length(range.length);
  }
}

bool TensorSlice::is_whole() const {
  return std::all_of(ranges_.begin(), ranges_.end(),
                     [](const Range& range) { return range.length == kWhole; });
}

std::vector<TensorSlice::Range> TensorSlice::region_in(const Shape& full) const {
  require(rank() == full.rank(), "Mismatching ranks: shape = ", full, ", slice = ", *this);
  std::vector<Range> region = ranges_;
  for (int i = 0; i < rank(); ++i) {
    Range& range = region[static_cast<std::size_t>(i)];
    if (range.length == kWhole) range.length = full[i];
    require(range.start + range.length <= full[i], "Extent in dimension ", i,
            " out of bounds: shape = ", full, ", slice = ", *this);
  }
  return region;
}

Shape TensorSlice::shape_in(const Shape& full) const {
  std::vector<std::int64_t> dims;
  for (const Range& range : region_in(full)) dims.push_back(range.length);
  return Shape(dims);
}

std::string to_text(const TensorSlice& slice) {
  std::vector<std::string> parts;
  for (const auto& range : slice.ranges())
    parts.push_back(range.length == TensorSlice::kWhole ? "-"
                                                        : str_cat(range.start, ",", range.length));
  return join(parts, ":");
}

std::optional<std::vector<TensorSlice::Range>> common_region(
    const std::vector<TensorSlice::Range>& a, const std::vector<TensorSlice::Range>& b) {
  std::vector<TensorSlice::Range> common(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto start = std::max(a[i].start, b[i].start);
    const auto end = std::min(a[i].start + a[i].length, b[i].start + b[i].length);
    if (end <= start) return std::nullopt;
    common[i] = {start, end - start};
  }
  return common;
}

ShapeAndSlice parse_shape_and_slice(std::string_view text) {
  const auto parts = split(text, ' ');
  require(parts.size() > 1, "Need least two elements in shape_and_slice specification: ", text);
  std::vector<std::int64_t> dims;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    long long dim = 0;
    require(parse_int(parts[i], &dim) && dim >= 0,
            "Non numerical dimension in shape_and_slice: ", text);
    dims.push_back(dim);
  }
  ShapeAndSlice result{Shape(dims), TensorSlice::parse(parts.back()), {}};
  result.part = result.slice.shape_in(result.full);
  return result;
}

}  // namespace rill
