#include "rill/compat/convert.h"
#include "rill/compat/inference.h"

namespace tensorflow::shape_inference {
namespace {

// A result that is a dimension, or an error when it is negative.
Status checked(InferenceContext* c, int64 value, const char* what, DimensionHandle* out) {
  if (value < 0)
    return errors::InvalidArgument("Dimension size, given by ", what,
                                   ", must be non-negative but is ", value);
  *out = c->MakeDim(value);
  return Status::OK();
}

}  // namespace

ShapeHandle InferenceContext::MakeShape(const std::vector<DimensionHandle>& dims) {
  impl_->shapes_made.push_back({true, dims});
  for (DimensionHandle& dim : impl_->shapes_made.back().dims)
    if (!dim.IsSet()) dim = UnknownDim();
  return ShapeHandle(&impl_->shapes_made.back());
}
ShapeHandle InferenceContext::MakeShape(std::initializer_list<DimensionOrConstant> dims) {
  std::vector<DimensionHandle> made;
  for (const DimensionOrConstant& dim : dims) made.push_back(MakeDim(dim));
  return MakeShape(made);
}
ShapeHandle InferenceContext::UnknownShape() {
  impl_->shapes_made.push_back({false, {}});
  return ShapeHandle(&impl_->shapes_made.back());
}
ShapeHandle InferenceContext::UnknownShapeOfRank(int64 rank) {
  rill::require(rank >= 0 && rank <= rill::kMaxRank, "a shape cannot have rank ", rank);
  return MakeShape(std::vector<DimensionHandle>(static_cast<size_t>(rank)));
}
ShapeHandle InferenceContext::Vector(DimensionOrConstant dim) { return MakeShape({dim}); }
ShapeHandle InferenceContext::Matrix(DimensionOrConstant dim1, DimensionOrConstant dim2) {
  return MakeShape({dim1, dim2});
}
DimensionHandle InferenceContext::MakeDim(DimensionOrConstant d) {
  if (d.dim.IsSet()) return d.dim;
  rill::require(d.val >= kUnknownDim, "a dimension cannot be ", d.val);
  impl_->dims_made.push_back({d.val});
  return DimensionHandle(&impl_->dims_made.back());
}

Status InferenceContext::MakeShapeFromTensor(const Tensor* t, ShapeHandle tensor_shape,
                                             ShapeHandle* out) {
  return guarded([&] {
    if (t == nullptr) {  // the length of the vector is the rank
      const bool known = RankKnown(tensor_shape) && Rank(tensor_shape) == 1;
      rill::require(!RankKnown(tensor_shape) || Rank(tensor_shape) <= 1,
                    "Shape must be rank 1 but is rank ", Rank(tensor_shape));
      const int64 length = known ? Value(Dim(tensor_shape, 0)) : kUnknownDim;
      *out = length < 0 ? UnknownShape() : UnknownShapeOfRank(length);
      return;
    }
    if (t->dims() == 0) {
      int64 value = 0;
      const Status status = GetScalarFromTensor(t, &value);
      if (!status.ok()) throw to_error(status);
      rill::require(value == -1,
                    "Input tensor must be rank 1, or if its rank 0 it must have value -1");
      *out = UnknownShape();
      return;
    }
    rill::require(t->dims() == 1 && (t->dtype() == DT_INT32 || t->dtype() == DT_INT64),
                  "Input tensor must be rank 1 and int32 or int64, but is ", t->DebugString());
    std::vector<DimensionHandle> dims;
    for (int64 i = 0; i < t->NumElements(); ++i)
      dims.push_back(MakeDim(t->dtype() == DT_INT32 ? static_cast<int64>(t->vec<int32>()(i))
                                                    : t->vec<int64>()(i)));
    *out = MakeShape(dims);
  });
}
Status InferenceContext::MakeShapeFromShapeTensor(int input_idx, ShapeHandle* out) {
  return guarded([&] {
    const ShapeHandle shape = input(input_idx);
    const rill::PartialShape known = impl_->ctx.shape_value(input_idx);
    if (known.has_rank())
      *out = InferenceAccess::shape(*this, known);
    else if (const Status s = MakeShapeFromTensor(input_tensor(input_idx), shape, out); !s.ok())
      throw to_error(s);
  });
}
Status InferenceContext::MakeShapeFromShapeProto(const TensorShapeProto& proto, ShapeHandle* out) {
  TF_RETURN_IF_ERROR(PartialTensorShape::IsValidShape(proto));
  return MakeShapeFromPartialTensorShape(PartialTensorShape(proto), out);
}
Status InferenceContext::MakeShapeFromPartialTensorShape(const PartialTensorShape& shape,
                                                         ShapeHandle* out) {
  return guarded([&] { *out = InferenceAccess::shape(*this, to_rill(shape)); });
}
Status InferenceContext::MakeShapeFromTensorShape(const TensorShape& shape, ShapeHandle* out) {
  return MakeShapeFromPartialTensorShape(PartialTensorShape(shape), out);
}
void InferenceContext::ShapeHandleToProto(ShapeHandle handle, TensorShapeProto* proto) {
  from_rill(InferenceAccess::shape(*this, handle)).AsProto(proto);
}

Status InferenceContext::GetScalarFromTensor(const Tensor* t, int64* val) {
  if (t->dims() != 0)
    return errors::InvalidArgument("Input must be scalar but has rank ", t->dims());
  if (t->dtype() == DT_INT32)
    *val = t->scalar<int32>()();
  else if (t->dtype() == DT_INT64)
    *val = t->scalar<int64>()();
  else
    return errors::InvalidArgument("Scalar input must be int32 or int64.");
  return Status::OK();
}
Status InferenceContext::MakeDimForScalarInput(int idx, DimensionHandle* out) {
  return MakeDimForScalarInputWithNegativeIndexing(idx, -1, out);
}
Status InferenceContext::MakeDimForScalarInputWithNegativeIndexing(int idx, int input_rank,
                                                                   DimensionHandle* out) {
  const Tensor* t = input_tensor(idx);
  if (t == nullptr) return *out = UnknownDim(), Status::OK();
  int64 value = 0;
  TF_RETURN_IF_ERROR(GetScalarFromTensor(t, &value));
  if (value < 0 && input_rank >= 0) value += input_rank;
  if (value < 0)
    return errors::InvalidArgument("Dimension size, given by scalar input ", idx,
                                   ", must be non-negative but is ", value);
  *out = MakeDim(value);
  return Status::OK();
}

Status InferenceContext::Divide(DimensionHandle dividend, DimensionOrConstant divisor,
                                bool evenly_divisible, DimensionHandle* out) {
  const int64 by = Value(divisor);
  if (by == 1) return *out = dividend, Status::OK();
  if (!ValueKnown(dividend) || by == kUnknownDim) return *out = UnknownDim(), Status::OK();
  if (by <= 0) return errors::InvalidArgument("Divisor must be positive but is ", by);
  if (evenly_divisible && Value(dividend) % by != 0)
    return errors::InvalidArgument("Dimension size must be evenly divisible by ", by, " but is ",
                                   Value(dividend));
  *out = MakeDim(Value(dividend) / by);
  return Status::OK();
}
Status InferenceContext::Add(DimensionHandle first, DimensionOrConstant second,
                             DimensionHandle* out) {
  const int64 a = Value(first), b = Value(second);
  if (a == 0) return *out = MakeDim(second), Status::OK();
  if (b == 0) return *out = first, Status::OK();
  if (a == kUnknownDim || b == kUnknownDim) return *out = UnknownDim(), Status::OK();
  int64 sum = 0;
  if (__builtin_add_overflow(a, b, &sum))
    return errors::InvalidArgument("Dimension size overflow from adding ", a, " and ", b);
  return checked(this, sum, "a sum", out);
}
Status InferenceContext::Subtract(DimensionHandle first, DimensionOrConstant second,
                                  DimensionHandle* out) {
  const int64 a = Value(first), b = Value(second);
  if (b == 0) return *out = first, Status::OK();
  if (a == kUnknownDim || b == kUnknownDim) return *out = UnknownDim(), Status::OK();
  if (a < b)
    return errors::InvalidArgument("Negative dimension size caused by subtracting ", b, " from ",
                                   a);
  return checked(this, a - b, "a difference", out);
}
Status InferenceContext::Multiply(DimensionHandle first, DimensionOrConstant second,
                                  DimensionHandle* out) {
  const int64 a = Value(first), b = Value(second);
  if (a == 0 || b == 0) return *out = MakeDim(0), Status::OK();
  if (a == 1) return *out = MakeDim(second), Status::OK();
  if (b == 1) return *out = first, Status::OK();
  if (a == kUnknownDim || b == kUnknownDim) return *out = UnknownDim(), Status::OK();
  int64 product = 0;
  if (__builtin_mul_overflow(a, b, &product))
    return errors::InvalidArgument("Negative dimension size from overflow when multiplying ", a,
                                   " and ", b);
  return checked(this, product, "a product", out);
}
Status InferenceContext::Min(DimensionHandle first, DimensionOrConstant second,
                             DimensionHandle* out) {
  const int64 a = Value(first), b = Value(second);
  if (a == 0 || b == 0) return *out = MakeDim(0), Status::OK();
  if (a == kUnknownDim || b == kUnknownDim) return *out = UnknownDim(), Status::OK();
  *out = a <= b ? first : MakeDim(second);
  return Status::OK();
}
Status InferenceContext::Max(DimensionHandle first, DimensionOrConstant second,
                             DimensionHandle* out) {
  const int64 a = Value(first), b = Value(second);
  if (a == kUnknownDim || b == kUnknownDim) return *out = UnknownDim(), Status::OK();
  *out = a >= b ? first : MakeDim(second);
  return Status::OK();
}

}  // namespace tensorflow::shape_inference
