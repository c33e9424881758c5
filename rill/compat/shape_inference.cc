#include "tensorflow/core/framework/shape_inference.h"

#include "rill/compat/arg_ranges.h"
#include "rill/compat/convert.h"
#include "rill/compat/inference.h"
#include "rill/graph/attr_proto.h"

namespace tensorflow::shape_inference {
namespace {

string dim_text(int64 value) { return value < 0 ? "?" : std::to_string(value); }

}  // namespace

ShapeHandle InferenceAccess::shape(InferenceContext& c, const rill::PartialShape& shape) {
  if (!shape.has_rank()) return c.UnknownShape();
  std::vector<DimensionHandle> dims;
  for (const std::int64_t dim : shape.dims()) dims.push_back(c.MakeDim(static_cast<int64>(dim)));
  return c.MakeShape(dims);
}

rill::PartialShape InferenceAccess::shape(InferenceContext& c, ShapeHandle handle) {
  if (!handle.IsSet() || !c.RankKnown(handle)) return {};
  rill::Dims dims;
  for (int i = 0; i < c.Rank(handle); ++i) dims.push_back(c.Value(c.Dim(handle, i)));
  return rill::PartialShape(dims.span());
}

int InferenceContext::num_inputs() const { return impl_->ctx.input_count(); }
int InferenceContext::num_outputs() const { return impl_->ctx.output_count(); }

ShapeHandle InferenceContext::input(int64 idx) const {
  rill::require(idx >= 0 && idx < num_inputs(), "there is no input ", idx);
  return impl_->inputs[static_cast<size_t>(idx)];
}
ShapeHandle InferenceContext::output(int64 idx) const {
  rill::require(idx >= 0 && idx < num_outputs(), "there is no output ", idx);
  return impl_->outputs[static_cast<size_t>(idx)];
}
void InferenceContext::set_output(int idx, ShapeHandle shape) {
  rill::require(idx >= 0 && idx < num_outputs(), "there is no output ", idx);
  impl_->outputs[static_cast<size_t>(idx)] = shape;
}

Status InferenceContext::input(StringPiece input_name, std::vector<ShapeHandle>* output) const {
  int begin = 0, end = 0;
  TF_RETURN_IF_ERROR(
      range_of(impl_->ctx.op().inputs, impl_->ctx.attrs(), input_name, &begin, &end));
  output->assign(impl_->inputs.begin() + begin, impl_->inputs.begin() + end);
  return Status::OK();
}
Status InferenceContext::output(StringPiece output_name, std::vector<ShapeHandle>* output) const {
  int begin = 0, end = 0;
  TF_RETURN_IF_ERROR(
      range_of(impl_->ctx.op().outputs, impl_->ctx.attrs(), output_name, &begin, &end));
  output->assign(impl_->outputs.begin() + begin, impl_->outputs.begin() + end);
  return Status::OK();
}
Status InferenceContext::set_output(StringPiece output_name,
                                    const std::vector<ShapeHandle>& shapes) {
  int begin = 0, end = 0;
  TF_RETURN_IF_ERROR(
      range_of(impl_->ctx.op().outputs, impl_->ctx.attrs(), output_name, &begin, &end));
  if (static_cast<size_t>(end - begin) != shapes.size())
    return errors::InvalidArgument("Must have exactly ", end - begin, " shapes.");
  std::copy(shapes.begin(), shapes.end(), impl_->outputs.begin() + begin);
  return Status::OK();
}

const Tensor* InferenceContext::input_tensor(int idx) {
  rill::require(idx >= 0 && idx < num_inputs(), "there is no input ", idx);
  const auto known = impl_->values.find(idx);
  if (known != impl_->values.end()) return &known->second;
  const rill::Tensor* value = impl_->ctx.value(idx);
  if (value == nullptr) return nullptr;
  return &impl_->values.emplace(idx, TensorAccess::wrap_aligned(*value)).first->second;
}

const AttrSlice InferenceContext::attrs() const {
  if (impl_->def.op().empty()) {
    impl_->def.set_op(impl_->ctx.op().name);
    for (const auto& [name, value] : impl_->ctx.attrs())
      rill::to_proto(value, &(*impl_->def.mutable_attr())[name]);
  }
  return AttrSlice(impl_->def);
}
string InferenceContext::op() const { return impl_->ctx.op().name; }

int32 InferenceContext::Rank(ShapeHandle s) {
  return !s.IsSet() || !s->known_rank ? kUnknownRank : static_cast<int32>(s->dims.size());
}
int64 InferenceContext::Value(DimensionOrConstant d) {
  return d.dim.IsSet() ? d.dim->value : d.val;
}
DimensionHandle InferenceContext::Dim(ShapeHandle s, int64 idx) {
  if (!RankKnown(s)) return UnknownDim();
  const int64 rank = Rank(s), at = idx < 0 ? idx + rank : idx;
  rill::require(at >= 0 && at < rank, "a shape of rank ", rank, " has no dimension ", idx);
  return s->dims[static_cast<size_t>(at)];
}
bool InferenceContext::FullyDefined(ShapeHandle s) {
  if (!RankKnown(s)) return false;
  for (int i = 0; i < Rank(s); ++i)
    if (!ValueKnown(Dim(s, i))) return false;
  return true;
}
DimensionHandle InferenceContext::NumElements(ShapeHandle s) {
  bool has_zero = false;
  for (int i = 0; i < Rank(s); ++i) has_zero |= Value(Dim(s, i)) == 0;
  if (has_zero) return MakeDim(0);
  if (!FullyDefined(s)) return UnknownDim();
  return MakeDim(static_cast<int64>(InferenceAccess::shape(*this, s).full().element_count()));
}
string InferenceContext::DebugString(ShapeHandle s) {
  if (!RankKnown(s)) return "?";
  string text = "[";
  for (int i = 0; i < Rank(s); ++i) text += (i == 0 ? "" : ",") + DebugString(Dim(s, i));
  return text + "]";
}
string InferenceContext::DebugString(DimensionHandle d) { return dim_text(Value(d)); }
string InferenceContext::DebugString() const {
  return rill::str_cat("InferenceContext for ", impl_->ctx.op().name);
}

Status InferenceContext::WithRank(ShapeHandle shape, int64 rank, ShapeHandle* out) {
  if (rank > kint32max) return errors::InvalidArgument("Rank cannot exceed kint32max");
  const int32 existing = Rank(shape);
  if (existing == rank) return *out = shape, Status::OK();
  if (existing == kUnknownRank) return *out = UnknownShapeOfRank(rank), Status::OK();
  *out = ShapeHandle();
  return errors::InvalidArgument("Shape must be rank ", rank, " but is rank ", existing);
}
Status InferenceContext::WithRankAtLeast(ShapeHandle shape, int64 rank, ShapeHandle* out) {
  const int32 existing = Rank(shape);
  if (existing >= rank || existing == kUnknownRank) return *out = shape, Status::OK();
  *out = ShapeHandle();
  return errors::InvalidArgument("Shape must be at least rank ", rank, " but is rank ", existing);
}
Status InferenceContext::WithRankAtMost(ShapeHandle shape, int64 rank, ShapeHandle* out) {
  const int32 existing = Rank(shape);
  if (existing <= rank || existing == kUnknownRank) return *out = shape, Status::OK();
  *out = ShapeHandle();
  return errors::InvalidArgument("Shape must be at most rank ", rank, " but is rank ", existing);
}
Status InferenceContext::WithValue(DimensionHandle dim, int64 value, DimensionHandle* out) {
  const int64 existing = Value(dim);
  if (existing == value) return *out = dim, Status::OK();
  if (existing == kUnknownDim) return *out = MakeDim(value), Status::OK();
  *out = DimensionHandle();
  return errors::InvalidArgument("Dimension must be ", value, " but is ", existing);
}
Status InferenceContext::Merge(DimensionHandle d0, DimensionHandle d1, DimensionHandle* out) {
  if (d0.SameHandle(d1) || !ValueKnown(d1)) return *out = d0, Status::OK();
  if (!ValueKnown(d0) || Value(d0) == Value(d1)) return *out = d1, Status::OK();
  *out = DimensionHandle();
  return errors::InvalidArgument("Dimensions must be equal, but are ", Value(d0), " and ",
                                 Value(d1));
}
Status InferenceContext::Merge(ShapeHandle s0, ShapeHandle s1, ShapeHandle* out) {
  if (s0.SameHandle(s1) || !RankKnown(s1)) return *out = s0, Status::OK();
  if (!RankKnown(s0)) return *out = s1, Status::OK();
  *out = ShapeHandle();
  if (Rank(s0) != Rank(s1))
    return errors::InvalidArgument("Shapes must be equal rank, but are ", Rank(s0), " and ",
                                   Rank(s1));
  std::vector<DimensionHandle> dims(static_cast<size_t>(Rank(s0)));
  for (int i = 0; i < Rank(s0); ++i) {
    const Status s = Merge(Dim(s0, i), Dim(s1, i), &dims[static_cast<size_t>(i)]);
    if (!s.ok())
      return errors::InvalidArgument("Dimension ", i, " in both shapes must be equal, but are ",
                                     Value(Dim(s0, i)), " and ", Value(Dim(s1, i)), ". Shapes are ",
                                     DebugString(s0), " and ", DebugString(s1), ".");
  }
  *out = MakeShape(dims);
  return Status::OK();
}
Status InferenceContext::MergePrefix(ShapeHandle s, ShapeHandle prefix, ShapeHandle* s_out,
                                     ShapeHandle* prefix_out) {
  *s_out = *prefix_out = ShapeHandle();
  if (!RankKnown(prefix) || !RankKnown(s)) {
    *s_out = s;
    *prefix_out = prefix;
    return Status::OK();
  }
  ShapeHandle head, tail;
  const int32 rank = Rank(prefix);
  TF_RETURN_IF_ERROR(WithRankAtLeast(s, rank, &s));
  TF_RETURN_IF_ERROR(Subshape(s, 0, rank, &head));
  TF_RETURN_IF_ERROR(Subshape(s, rank, &tail));
  TF_RETURN_IF_ERROR(Merge(head, prefix, prefix_out));
  return Concatenate(*prefix_out, tail, s_out);
}
Status InferenceContext::Subshape(ShapeHandle s, int64 start, ShapeHandle* out) {
  return Subshape(s, start, kint64max, out);
}
Status InferenceContext::Subshape(ShapeHandle s, int64 start, int64 end, ShapeHandle* out) {
  return Subshape(s, start, end, 1, out);
}
Status InferenceContext::Subshape(ShapeHandle s, int64 start, int64 end, int64 stride,
                                  ShapeHandle* out) {
  *out = ShapeHandle();
  if (stride == 0) return errors::InvalidArgument("Subshape stride must not be 0");
  if (!RankKnown(s)) {
    if (start == 0 && end == kint64max && stride == 1)
      *out = s;
    else
      *out = UnknownShape();
    return Status::OK();
  }
  const int64 rank = Rank(s), start_in = start, end_in = end;
  start = start > rank ? rank : start < 0 ? start + rank : start;
  end = end > rank ? rank : end < 0 ? end + rank : end;
  if (start < 0 || end < 0)
    return errors::InvalidArgument("Subshape must have computed start >= 0 and end >= 0, but is ",
                                   start, " and ", end, " (computed from start ", start_in,
                                   " and end ", end_in, " over shape with rank ", rank, ")");
  if ((stride > 0 && start > end) || (stride < 0 && end > start))
    return errors::InvalidArgument("Subshape must have computed start <= end, but is ", start,
                                   " and ", end, " (computed from start ", start_in, " and end ",
                                   end_in, " over shape with rank ", rank, ")");
  std::vector<DimensionHandle> dims;
  for (int64 i = start; stride > 0 ? i < end : i > end; i += stride) dims.push_back(Dim(s, i));
  *out = MakeShape(dims);
  return Status::OK();
}
Status InferenceContext::Concatenate(ShapeHandle s1, ShapeHandle s2, ShapeHandle* out) {
  if (!RankKnown(s1) || !RankKnown(s2)) return *out = UnknownShape(), Status::OK();
  std::vector<DimensionHandle> dims(s1->dims);
  dims.insert(dims.end(), s2->dims.begin(), s2->dims.end());
  *out = MakeShape(dims);
  return Status::OK();
}
Status InferenceContext::ReplaceDim(ShapeHandle s, int64 dim_index, DimensionHandle new_dim,
                                    ShapeHandle* out) {
  if (!RankKnown(s)) return *out = UnknownShape(), Status::OK();
  const int64 rank = Rank(s), at = dim_index < 0 ? dim_index + rank : dim_index;
  *out = ShapeHandle();
  if (at < 0 || at >= rank)
    return errors::InvalidArgument("Out of range dim_index ", dim_index, " for shape with ", rank,
                                   " dimensions");
  std::vector<DimensionHandle> dims(s->dims);
  dims[static_cast<size_t>(at)] = new_dim;
  *out = MakeShape(dims);
  return Status::OK();
}

const std::vector<ShapeAndType>* InferenceContext::input_handle_shapes_and_types(int idx) {
  rill::require(idx >= 0 && idx < num_inputs(), "there is no input ", idx);
  const rill::HandleInfo* info = impl_->ctx.handle(idx);
  if (info == nullptr) return nullptr;
  auto& known = impl_->input_handles[idx];
  if (known.empty())
    known.emplace_back(InferenceAccess::shape(*this, info->shape), from_rill(info->dtype));
  return &known;
}
void InferenceContext::set_output_handle_shapes_and_types(int idx,
                                                          const std::vector<ShapeAndType>& known) {
  rill::require(idx >= 0 && idx < num_outputs(), "there is no output ", idx);
  if (known.empty()) return;
  impl_->ctx.set_output_handle(
      idx, {to_rill(known[0].dtype), InferenceAccess::shape(*this, known[0].shape)});
}

}  // namespace tensorflow::shape_inference
