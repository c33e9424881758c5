#ifndef TENSORFLOW_CORE_FRAMEWORK_SHAPE_INFERENCE_H_
#define TENSORFLOW_CORE_FRAMEWORK_SHAPE_INFERENCE_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tensorflow/core/framework/node_def_util.h"
#include "tensorflow/core/framework/tensor.h"
#include "tensorflow/core/framework/types.h"
#include "tensorflow/core/lib/core/errors.h"
#include "tensorflow/core/lib/core/status.h"
#include "tensorflow/core/lib/gtl/inlined_vector.h"
#include "tensorflow/core/platform/macros.h"

namespace tensorflow {
namespace shape_inference {

class InferenceContext;
struct Dimension;
struct Shape;

// Handles are owned by the InferenceContext that made them.
class DimensionHandle {
 public:
  DimensionHandle() : ptr_(nullptr) {}
  bool SameHandle(DimensionHandle d) const { return ptr_ == d.ptr_; }
  bool IsSet() const { return ptr_ != nullptr; }
  std::size_t Handle() const { return reinterpret_cast<std::size_t>(ptr_); }

 private:
  explicit DimensionHandle(const Dimension* dim) : ptr_(dim) {}
  const Dimension* operator->() const { return ptr_; }
  friend struct DimensionOrConstant;
  friend class InferenceContext;
  const Dimension* ptr_;
};

class ShapeHandle {
 public:
  ShapeHandle() : ptr_(nullptr) {}
  bool SameHandle(ShapeHandle s) const { return ptr_ == s.ptr_; }
  bool IsSet() const { return ptr_ != nullptr; }
  std::size_t Handle() const { return reinterpret_cast<std::size_t>(ptr_); }

 private:
  explicit ShapeHandle(const Shape* shape) : ptr_(shape) {}
  const Shape* operator->() const { return ptr_; }
  friend class InferenceContext;
  const Shape* ptr_;
};

// A dimension of the context, or a number.
struct DimensionOrConstant {
  DimensionOrConstant(DimensionHandle d) : dim(d), val(0) {}
  DimensionOrConstant(int64 v) : val(v) {}
  DimensionOrConstant(int v) : val(v) {}
  DimensionOrConstant(long v) : val(v) {}
  DimensionOrConstant(unsigned int v) : val(v) {}
  DimensionOrConstant(unsigned long v) : val(static_cast<int64>(v)) {}
  DimensionHandle dim;
  int64 val;
};

struct ShapeAndType {
  ShapeAndType() : dtype(DT_INVALID) {}
  ShapeAndType(ShapeHandle s, DataType t) : shape(s), dtype(t) {}
  ShapeHandle shape;
  DataType dtype;
};

// What a shape function sees of its node, and where it leaves the shapes of the outputs.
class InferenceContext {
 public:
  static constexpr int64 kUnknownDim = -1;
  static constexpr int32 kUnknownRank = -1;

  int num_inputs() const;
  ShapeHandle input(int64 idx) const;  // throws when there is no such input
  Status input(StringPiece input_name, std::vector<ShapeHandle>* output) const;
  const Tensor* input_tensor(int idx);  // nullptr when the value is not known
  int num_outputs() const;
  ShapeHandle output(int64 idx) const;
  Status output(StringPiece output_name, std::vector<ShapeHandle>* output) const;
  void set_output(int idx, ShapeHandle shape);
  Status set_output(StringPiece output_name, const std::vector<ShapeHandle>& shapes);

  const AttrSlice attrs() const;
  template <class T>
  Status GetAttr(StringPiece attr_name, T* value) const {
    return GetNodeAttr(attrs(), attr_name, value);
  }
  string op() const;

  DimensionHandle Dim(ShapeHandle s, int64 idx);  // negative ones count from the end
  DimensionHandle DimKnownRank(ShapeHandle s, int64 idx) { return Dim(s, idx); }
  static int32 Rank(ShapeHandle s);
  static bool RankKnown(ShapeHandle s) { return Rank(s) != kUnknownRank; }
  static int64 Value(DimensionOrConstant d);
  static bool ValueKnown(DimensionOrConstant d) { return Value(d) != kUnknownDim; }
  bool FullyDefined(ShapeHandle s);
  DimensionHandle NumElements(ShapeHandle s);
  string DebugString(ShapeHandle s);
  string DebugString(DimensionHandle d);
  string DebugString() const;

  Status WithRank(ShapeHandle shape, int64 rank, ShapeHandle* out) TF_MUST_USE_RESULT;
  Status WithRankAtLeast(ShapeHandle shape, int64 rank, ShapeHandle* out) TF_MUST_USE_RESULT;
  Status WithRankAtMost(ShapeHandle shape, int64 rank, ShapeHandle* out) TF_MUST_USE_RESULT;
  Status WithValue(DimensionHandle dim, int64 value, DimensionHandle* out) TF_MUST_USE_RESULT;
  Status Merge(DimensionHandle d0, DimensionHandle d1, DimensionHandle* out) TF_MUST_USE_RESULT;
  Status Merge(ShapeHandle s0, ShapeHandle s1, ShapeHandle* out) TF_MUST_USE_RESULT;
  Status MergePrefix(ShapeHandle s, ShapeHandle prefix, ShapeHandle* s_out,
                     ShapeHandle* prefix_out) TF_MUST_USE_RESULT;
  Status Subshape(ShapeHandle s, int64 start, ShapeHandle* out) TF_MUST_USE_RESULT;
  Status Subshape(ShapeHandle s, int64 start, int64 end, ShapeHandle* out) TF_MUST_USE_RESULT;
  Status Subshape(ShapeHandle s, int64 start, int64 end, int64 stride,
                  ShapeHandle* out) TF_MUST_USE_RESULT;
  Status Concatenate(ShapeHandle s1, ShapeHandle s2, ShapeHandle* out) TF_MUST_USE_RESULT;
  Status ReplaceDim(ShapeHandle s, int64 dim_index, DimensionHandle new_dim,
                    ShapeHandle* out) TF_MUST_USE_RESULT;

  ShapeHandle MakeShape(const std::vector<DimensionHandle>& dims);
  ShapeHandle MakeShape(std::initializer_list<DimensionOrConstant> dims);
  ShapeHandle UnknownShape();
  ShapeHandle UnknownShapeOfRank(int64 rank);
  ShapeHandle Scalar() { return MakeShape(std::vector<DimensionHandle>()); }
  ShapeHandle Vector(DimensionOrConstant dim);
  ShapeHandle Matrix(DimensionOrConstant dim1, DimensionOrConstant dim2);
  Status MakeShapeFromTensor(const Tensor* t, ShapeHandle tensor_shape, ShapeHandle* out);
  Status MakeShapeFromShapeTensor(int input_idx, ShapeHandle* out);
  Status MakeShapeFromShapeProto(const TensorShapeProto& proto, ShapeHandle* out);
  Status MakeShapeFromPartialTensorShape(const PartialTensorShape& shape, ShapeHandle* out);
  Status MakeShapeFromTensorShape(const TensorShape& shape, ShapeHandle* out);
  void ShapeHandleToProto(ShapeHandle handle, TensorShapeProto* proto);
  DimensionHandle MakeDim(DimensionOrConstant d);
  DimensionHandle UnknownDim() { return MakeDim(kUnknownDim); }
  Status MakeDimForScalarInput(int idx, DimensionHandle* out);
  Status MakeDimForScalarInputWithNegativeIndexing(int idx, int input_rank, DimensionHandle* out);
  Status GetScalarFromTensor(const Tensor* t, int64* val);

  Status Divide(DimensionHandle dividend, DimensionOrConstant divisor, bool evenly_divisible,
                DimensionHandle* out);
  Status Add(DimensionHandle first, DimensionOrConstant second, DimensionHandle* out);
  Status Subtract(DimensionHandle first, DimensionOrConstant second, DimensionHandle* out);
  Status Multiply(DimensionHandle first, DimensionOrConstant second, DimensionHandle* out);
  Status Min(DimensionHandle first, DimensionOrConstant second, DimensionHandle* out);
  Status Max(DimensionHandle first, DimensionOrConstant second, DimensionHandle* out);

  // What is known behind resource handles.
  const std::vector<ShapeAndType>* input_handle_shapes_and_types(int idx);
  void set_output_handle_shapes_and_types(int idx, const std::vector<ShapeAndType>& known);

  struct Impl;
  explicit InferenceContext(Impl* impl) : impl_(impl) {}

 private:
  friend struct InferenceAccess;
  Impl* impl_;
  TF_DISALLOW_COPY_AND_ASSIGN(InferenceContext);
};

}  // namespace shape_inference
}  // namespace tensorflow

#endif
