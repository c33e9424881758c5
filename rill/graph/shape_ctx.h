#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "rill/base/error.h"
#include "rill/base/function_ref.h"
#include "rill/graph/node.h"
#include "rill/graph/refusal.h"

namespace rill {

// What a shape function sees: the same function runs on partial shapes when a node is added and on
// full shapes before its kernel. Accessors throw InvalidArgument; whoever called the shape function
// adds the node and the input shapes.
class ShapeCtx {
 public:
  // Finds what is known of the value of input i, nullptr if nothing.
  using ValueFn = FunctionRef<const Tensor*(int)>;
  // Finds what is known of input i seen as a shape; unknown rank if nothing.
  using ShapeValueFn = FunctionRef<PartialShape(int)>;

  ShapeCtx(const Op& op, const AttrMap& attrs, std::vector<PartialShape> inputs, int output_count,
           ValueFn value, ShapeValueFn shape_value)
      : op_(op),
        attrs_(attrs),
        inputs_(std::move(inputs)),
        output_count_(output_count),
        value_(value),
        shape_value_(shape_value) {}

  const Op& op() const { return op_; }
  int input_count() const { return static_cast<int>(inputs_.size()); }
  int output_count() const { return output_count_; }
  const PartialShape& input(int i) const { return inputs_.at(static_cast<std::size_t>(i)); }

  // Values of inputs that are small host tensors (axes, shapes, sizes). Asking marks the result as
  // depending on the value, so at run time it is computed anew when the value changes.
  const Tensor* value(int i) const {
    values_used_ |= std::uint64_t{1} << (i & 63);
    return value_(i);
  }
  PartialShape shape_value(int i) const;         // input i as a shape: [2,-1] is [2,?]
  bool int_value(int i, std::int64_t* v) const;  // scalar int32/int64; false when unknown
  bool int_values(int i, std::vector<std::int64_t>* v) const;  // the same for a vector
  bool dim_values(int i, std::vector<std::int64_t>* v) const;  // and for one that is a shape

  template <class T>
  const T& attr(std::string_view name) const {
    return rill::attr<T>(attrs_, name);
  }
  bool flag(std::string_view name) const { return attr<bool>(name); }
  const AttrMap& attrs() const { return attrs_; }

  // Input i, which must be able to have this rank; unknown rank becomes all-unknown dimensions.
  PartialShape with_rank(int i, int rank) const;
  PartialShape with_rank_at_least(int i, int rank) const;
  PartialShape scalar(int i) const { return with_rank(i, 0); }
  PartialShape vector(int i) const { return with_rank(i, 1); }
  // Rows and columns of a matrix input, swapped when `transposed`.
  std::pair<std::int64_t, std::int64_t> matrix(int i, bool transposed = false) const;

  // Resource handles: what is known behind input i, and what output i's handle refers to.
  const HandleInfo* handle(int i) const {
    return input_handles_.empty() ? nullptr : input_handles_.at(static_cast<std::size_t>(i));
  }
  void set_output_handle(int i, HandleInfo info) const;

  // For the callers of shape functions.
  void set_input_handles(std::vector<const HandleInfo*> handles) {
    input_handles_ = std::move(handles);
  }
  std::vector<HandleInfo> take_output_handles() const { return std::move(output_handles_); }
  std::uint64_t values_used() const { return values_used_; }
  std::uint64_t shape_values_used() const { return shape_values_used_; }  // of those, as shapes

 private:
  const Op& op_;
  const AttrMap& attrs_;
  std::vector<PartialShape> inputs_;
  int output_count_;
  ValueFn value_;
  ShapeValueFn shape_value_;
  std::vector<const HandleInfo*> input_handles_;
  mutable std::vector<HandleInfo> output_handles_;
  mutable std::uint64_t values_used_ = 0, shape_values_used_ = 0;
};

// True when two dimensions may be equal; the known one of two compatible dimensions.
constexpr bool compatible(std::int64_t a, std::int64_t b) { return a < 0 || b < 0 || a == b; }
constexpr std::int64_t merge_dim(std::int64_t a, std::int64_t b) { return a < 0 ? b : a; }

// The shape that both describe; throws InvalidArgument telling the rank or dimension that differs.
PartialShape merge_shapes(const PartialShape& a, const PartialShape& b);
std::string merge_refusal(const PartialShape& a, const PartialShape& b);  // what it throws; or ""

// NumPy's broadcasting; throws a Refusal.
PartialShape broadcast_together(const PartialShape& a, const PartialShape& b);

// Shape functions that many ops share.
Shapes same_as_input(const ShapeCtx& c);     // every output as input 0
Shapes broadcast_inputs(const ShapeCtx& c);  // NumPy broadcasting of inputs 0 and 1
Shapes scalar_output(const ShapeCtx& c);
Shapes no_outputs(const ShapeCtx& c);
Shapes unknown_outputs(const ShapeCtx& c);  // nothing can be said
Shapes merge_inputs(const ShapeCtx& c);     // all inputs have one shape, which is output 0's

}  // namespace rill
