#pragma once

#include <concepts>
#include <initializer_list>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <variant>
#include <vector>

#include "rill/api/ragged/ragged_tensor.h"
#include "rill/runtime/session/fetch.h"

namespace rill {

// The value of a RaggedTensor: what a run gives for its parts.
struct RaggedTensorValue {
  Tensor flat_values = {};
  std::vector<Tensor> nested_row_splits = {};  // the outermost dimension first

  DType dtype() const { return flat_values.dtype(); }
  int ragged_rank() const { return static_cast<int>(nested_row_splits.size()); }
};

namespace ragged {

using rill::RaggedTensorValue;

// Lists in braces whose rows differ in length, of numbers, truth values or texts; also vectors of
// vectors.
class NestedList {
 public:
  using Scalar = std::variant<std::int64_t, double, bool, std::string>;

  template <std::integral T>
  requires(!std::same_as<T, bool>) NestedList(T value)
      : NestedList(Made{}, static_cast<std::int64_t>(value)) {}
  template <std::floating_point T>
  NestedList(T value) : NestedList(Made{}, static_cast<double>(value)) {}
  template <std::same_as<bool> T>
  NestedList(T value) : NestedList(Made{}, bool(value)) {}
  NestedList(const char* text);
  NestedList(std::string text);
  NestedList(std::initializer_list<NestedList> items);
  template <class T>
  NestedList(const std::vector<T>& items) : NestedList(Made{}) {
    for (const T& item : items) add(item);
  }

  const std::optional<Scalar>& scalar() const;  // none: it is a list
  const std::vector<NestedList>& items() const;

 private:
  struct Made {};
  explicit NestedList(Made);
  NestedList(Made, std::int64_t value);
  NestedList(Made, double value);
  NestedList(Made, bool value);
  void add(NestedList item);  // while it is made
  struct Parts;
  std::shared_ptr<Parts> parts_;
};

struct RaggedConstantOptions {
  DType dtype = DType::invalid;         // of the values: int32, float32, bool or string
  std::optional<int> ragged_rank = {};  // one less than scalars lie deep
  std::string name = {};
  DType row_splits_dtype = DType::i64;
};
// Rows of different lengths:
//
//   auto words = tf::ragged::constant({{"so", "long"}, {}, {"thanks"}});
//
// Throws InvalidArgument where scalars do not all lie equally deep, or less than two lists deep;
// and where rows below ragged_rank differ in length.
RaggedTensor constant(const NestedList& pylist, const RaggedConstantOptions& options = {},
                      std::source_location at = std::source_location::current());
// The same as a value.
RaggedTensorValue constant_value(const NestedList& pylist,
                                 const RaggedConstantOptions& options = {});

struct RaggedPlaceholderOptions {
  std::optional<PartialShape> value_shape = {};  // of one innermost value; none: not known
  std::string name = {};
};
// A RaggedTensor whose parts are fed: feeds_of().
RaggedTensor placeholder(DType dtype, int ragged_rank, const RaggedPlaceholderOptions& options = {},
                         std::source_location at = std::source_location::current());
Feeds feeds_of(const RaggedTensor& target, const RaggedTensorValue& value);

struct SegmentOptions {
  DType out_type = DType::invalid;  // that of the argument
  std::string name = {};
};
// The row of each value, and back.
Output row_splits_to_segment_ids(const Input& splits, const SegmentOptions& options = {},
                                 std::source_location at = std::source_location::current());
Output segment_ids_to_row_splits(const Input& segment_ids, const OptionalInput& num_segments = {},
                                 const SegmentOptions& options = {},
                                 std::source_location at = std::source_location::current());

}  // namespace ragged
}  // namespace rill
