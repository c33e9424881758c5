#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rill/tensor/shape.h"

namespace tensorflow {
class TensorSliceProto;
}  // namespace tensorflow

namespace rill {

// A range of every dimension of a tensor: how checkpoints name the parts of partitioned variables.
// A dimension may be taken whole without saying how long it is, and two slices that cover the same
// elements in different words are different slices with different keys.
class TensorSlice {
 public:
  static constexpr std::int64_t kWhole = -1;
  struct Range {
    std::int64_t start = 0, length = kWhole;
    friend bool operator==(const Range&, const Range&) = default;
  };

  TensorSlice() = default;
  explicit TensorSlice(std::vector<Range> ranges);  // throws InvalidArgument for negative ones
  static TensorSlice whole(int rank);
  static TensorSlice parse(std::string_view text);  // "-:0,10"; throws InvalidArgument
  // Throws InvalidArgument for ranges that are none.
  static TensorSlice from_proto(const tensorflow::TensorSliceProto& proto);
  void to_proto(tensorflow::TensorSliceProto* proto) const;

  int rank() const { return static_cast<int>(ranges_.size()); }
  const std::vector<Range>& ranges() const { return ranges_; }
  bool is_whole() const;

  // The shape of this part of a tensor. Throws InvalidArgument when the slice reaches outside of
  // it.
  Shape shape_in(const Shape& full) const;
  // Every range with its true length; throws as shape_in() does.
  std::vector<Range> region_in(const Shape& full) const;

  friend bool operator==(const TensorSlice&, const TensorSlice&) = default;

 private:
  std::vector<Range> ranges_;
};
std::string to_text(const TensorSlice& slice);  // "-:0,10"

// The ranges that two regions of one tensor have in common, nothing when that is no element.
std::optional<std::vector<TensorSlice::Range>> common_region(
    const std::vector<TensorSlice::Range>& a, const std::vector<TensorSlice::Range>& b);

// What Saver's ops are told about a tensor: "10 4 0,5:0,4" is rows 0 to 4 of a [10,4] tensor.
struct ShapeAndSlice {
  Shape full;
  TensorSlice slice;
  Shape part;  // the slice's shape
};
ShapeAndSlice parse_shape_and_slice(std::string_view text);  // throws InvalidArgument

// The key under which a checkpoint holds a slice: it sorts by name, then by place.
std::string slice_key(std::string_view name, const TensorSlice& slice);

}  // namespace rill
