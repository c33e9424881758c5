#include "tensorflow/core/framework/common_shape_fns.h"

#include "rill/compat/convert.h"
#include "rill/compat/inference.h"

namespace tensorflow {

Status GetWindowedOutputSize(int64 input_size, int64 filter_size, int64 stride,
                             Padding padding_type, int64* output_size, int64* padding_size) {
  if (stride <= 0) return errors::InvalidArgument("Stride must be > 0, but got ", stride);
  if (padding_type == EXPLICIT) return errors::Unimplemented("explicit padding of a window");
  if (padding_type == VALID) {
    *output_size = (input_size - filter_size + stride) / stride;
    *padding_size = 0;
  } else {
    *output_size = (input_size + stride - 1) / stride;
    const int64 needed = (*output_size - 1) * stride + filter_size - input_size;
    *padding_size = needed > 0 ? needed / 2 : 0;
  }
  if (*output_size < 0)
    return errors::InvalidArgument(
        "Computed output size would be negative: ", *output_size, " [input_size: ", input_size,
        ", effective_filter_size: ", filter_size, ", stride: ", stride, "]");
  return Status::OK();
}

namespace shape_inference {
namespace {

bool flag(InferenceContext* c, const char* name) {
  bool value = false;
  return c->GetAttr(name, &value).ok() && value;
}

}  // namespace

Status UnchangedShape(InferenceContext* c) {
  c->set_output(0, c->input(0));
  return Status::OK();
}
Status UnchangedShapeWithRank(InferenceContext* c, int32 rank) {
  ShapeHandle out;
  TF_RETURN_IF_ERROR(c->WithRank(c->input(0), rank, &out));
  c->set_output(0, out);
  return Status::OK();
}
Status UnchangedShapeWithRankAtLeast(InferenceContext* c, int32 rank) {
  ShapeHandle out;
  TF_RETURN_IF_ERROR(c->WithRankAtLeast(c->input(0), rank, &out));
  c->set_output(0, out);
  return Status::OK();
}
Status UnchangedShapeWithRankAtMost(InferenceContext* c, int32 rank) {
  ShapeHandle out;
  TF_RETURN_IF_ERROR(c->WithRankAtMost(c->input(0), rank, &out));
  c->set_output(0, out);
  return Status::OK();
}
Status ScalarShape(InferenceContext* c) {
  for (int i = 0; i < c->num_outputs(); ++i) c->set_output(i, c->Scalar());
  return Status::OK();
}
Status NoOutputs(InferenceContext*) { return Status::OK(); }
Status UnknownShape(InferenceContext* c) {
  for (int i = 0; i < c->num_outputs(); ++i) c->set_output(i, c->UnknownShape());
  return Status::OK();
}
Status ExplicitShape(InferenceContext* c) {
  PartialTensorShape shape;
  TF_RETURN_IF_ERROR(c->GetAttr("shape", &shape));
  ShapeHandle out;
  TF_RETURN_IF_ERROR(c->MakeShapeFromPartialTensorShape(shape, &out));
  c->set_output(0, out);
  return Status::OK();
}
Status MergeBothInputsShapeFn(InferenceContext* c) {
  ShapeHandle out;
  TF_RETURN_IF_ERROR(c->Merge(c->input(0), c->input(1), &out));
  c->set_output(0, out);
  return Status::OK();
}
Status BroadcastBinaryOpShapeFn(InferenceContext* c) {
  return guarded([&] {
    c->set_output(
        0, InferenceAccess::shape(*c, rill::broadcast(InferenceAccess::shape(*c, c->input(0)),
                                                      InferenceAccess::shape(*c, c->input(1)))));
  });
}
Status MatMulShape(InferenceContext* c) {
  ShapeHandle a, b;
  TF_RETURN_IF_ERROR(c->WithRank(c->input(0), 2, &a));
  TF_RETURN_IF_ERROR(c->WithRank(c->input(1), 2, &b));
  const int transpose_a = flag(c, "transpose_a"), transpose_b = flag(c, "transpose_b");
  DimensionHandle inner;
  TF_RETURN_IF_ERROR(c->Merge(c->Dim(a, 1 - transpose_a), c->Dim(b, transpose_b), &inner));
  c->set_output(0, c->Matrix(c->Dim(a, transpose_a), c->Dim(b, 1 - transpose_b)));
  return Status::OK();
}
Status BiasAddShape(InferenceContext* c) {
  ShapeHandle value, bias;
  TF_RETURN_IF_ERROR(c->WithRankAtLeast(c->input(0), 2, &value));
  TF_RETURN_IF_ERROR(c->WithRank(c->input(1), 1, &bias));
  string format;
  const bool channels_first = c->GetAttr("data_format", &format).ok() && format == "NCHW";
  if (!c->RankKnown(value)) return UnknownShape(c);
  const int axis = channels_first ? c->Rank(value) - 3 : c->Rank(value) - 1;
  if (axis < 0)
    return errors::InvalidArgument("Shape must be at least rank 3 but is rank ", c->Rank(value));
  DimensionHandle channels;
  TF_RETURN_IF_ERROR(c->Merge(c->Dim(bias, 0), c->Dim(value, axis), &channels));
  ShapeHandle out;
  TF_RETURN_IF_ERROR(c->ReplaceDim(value, axis, channels, &out));
  c->set_output(0, out);
  return Status::OK();
}
Status ReductionShape(InferenceContext* c) {
  const ShapeHandle input = c->input(0);
  const Tensor* axes = c->input_tensor(1);
  if (!c->RankKnown(input)) return UnknownShape(c);
  const bool keep = flag(c, "keep_dims");
  if (axes == nullptr) {
    c->set_output(0, keep ? c->UnknownShapeOfRank(c->Rank(input)) : c->UnknownShape());
    return Status::OK();
  }
  std::vector<bool> reduced(static_cast<size_t>(c->Rank(input)));
  for (int64 i = 0; i < axes->NumElements(); ++i) {
    int64 axis = axes->dtype() == DT_INT64 ? axes->flat<int64>()(i) : axes->flat<int32>()(i);
    if (axis < -c->Rank(input) || axis >= c->Rank(input))
      return errors::InvalidArgument("Invalid reduction dimension ", axis, " for input with ",
                                     c->Rank(input), " dimensions.");
    reduced[static_cast<size_t>(axis < 0 ? axis + c->Rank(input) : axis)] = true;
  }
  std::vector<DimensionHandle> dims;
  for (int i = 0; i < c->Rank(input); ++i) {
    if (!reduced[static_cast<size_t>(i)])
      dims.push_back(c->Dim(input, i));
    else if (keep)
      dims.push_back(c->MakeDim(1));
  }
  c->set_output(0, c->MakeShape(dims));
  return Status::OK();
}
Status ConcatV2Shape(InferenceContext* c) {
  const int last = c->num_inputs() - 1;
  const Tensor* axis_value = c->input_tensor(last);
  int32 rank = InferenceContext::kUnknownRank;
  for (int i = 0; i < last; ++i)
    if (c->RankKnown(c->input(i))) rank = c->Rank(c->input(i));
  if (rank < 0) return UnknownShape(c);
  if (axis_value == nullptr) return c->set_output(0, c->UnknownShapeOfRank(rank)), Status::OK();
  int64 axis = 0;
  TF_RETURN_IF_ERROR(c->GetScalarFromTensor(axis_value, &axis));
  if (axis < -rank || axis >= rank)
    return errors::InvalidArgument("Expected concatenating dimensions in the range [", -rank, ", ",
                                   rank, "), but got ", axis);
  if (axis < 0) axis += rank;
  ShapeHandle sum;
  for (int i = 0; i < last; ++i) {
    ShapeHandle next, merged;
    TF_RETURN_IF_ERROR(c->WithRank(c->input(i), rank, &next));
    if (i == 0) {
      sum = next;
      continue;
    }
    DimensionHandle along;
    TF_RETURN_IF_ERROR(c->Add(c->Dim(sum, axis), c->Dim(next, axis), &along));
    TF_RETURN_IF_ERROR(c->ReplaceDim(sum, axis, along, &sum));
    TF_RETURN_IF_ERROR(c->ReplaceDim(next, axis, along, &next));
    TF_RETURN_IF_ERROR(c->Merge(sum, next, &merged));
    sum = merged;
  }
  c->set_output(0, sum);
  return Status::OK();
}

}  // namespace shape_inference
}  // namespace tensorflow
