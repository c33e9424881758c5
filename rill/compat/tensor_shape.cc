#include "tensorflow/core/framework/tensor_shape.h"

#include <ostream>

#include "rill/compat/convert.h"

namespace tensorflow {
namespace {

template <class Sizes>
rill::Dims dims_of(const Sizes& sizes) {
  rill::Dims dims;
  for (const int64 size : sizes) dims.push_back(size);
  return dims;
}

rill::PartialShape parse_shape(const TensorShapeProto& proto) {
  if (proto.unknown_rank()) {
    rill::require(proto.dim_size() == 0, "An unknown shape must not have any dimensions set.");
    return {};
  }
  rill::Dims dims;
  for (const auto& dim : proto.dim()) dims.push_back(dim.size());
  return rill::PartialShape(dims.span());
}

template <class Int>
gtl::InlinedVector<int64, 4> wide(const Int* dims, int64 n) {
  rill::require(n >= 0 && n <= rill::kMaxRank, "a shape cannot have ", n, " dimensions");
  return gtl::InlinedVector<int64, 4>(dims, dims + n);
}

}  // namespace

struct ShapeAccess {
  static const internal::DimList& dims(const TensorShape& shape) { return shape.dims_; }
  static TensorShape wrap(const rill::Shape& shape) {  // checked and counted already
    TensorShape result;
    const auto dims = shape.dims();
    result.dims_.Assign(dims.begin(), dims.end());
    result.num_elements_ = shape.element_count();
    return result;
  }
};

rill::Shape to_rill(const TensorShape& shape) {
  return rill::Shape(dims_of(ShapeAccess::dims(shape)).span());
}
rill::PartialShape to_rill(const PartialTensorShape& shape) {
  if (shape.unknown_rank()) return {};
  return rill::PartialShape(dims_of(shape.dim_sizes()).span());
}
TensorShape from_rill(const rill::Shape& shape) { return ShapeAccess::wrap(shape); }
PartialTensorShape from_rill(const rill::PartialShape& shape) {
  if (!shape.has_rank()) return PartialTensorShape();
  const auto dims = shape.dims();
  return PartialTensorShape(gtl::InlinedVector<int64, 4>(dims.begin(), dims.end()));
}

// The library's own Shape checks the dimensions and multiplies them.
TensorShape::TensorShape(gtl::ArraySlice<int64> dim_sizes)
    : TensorShape(ShapeAccess::wrap(rill::Shape(dims_of(dim_sizes).span()))) {}

TensorShape::TensorShape(const TensorShapeProto& proto)
    : TensorShape(from_rill(parse_shape(proto).full())) {}

void TensorShape::Replace(const std::vector<int64>& dims) { *this = TensorShape(dims); }

bool TensorShape::IsValid(const TensorShapeProto& proto) { return IsValidShape(proto).ok(); }
Status TensorShape::IsValidShape(const TensorShapeProto& proto) {
  return guarded([&] { parse_shape(proto).full(); });
}
Status TensorShape::BuildTensorShape(const TensorShapeProto& proto, TensorShape* out) {
  return guarded([&] { *out = TensorShape(proto); });
}

int64 TensorShape::dim_size(int d) const {
  rill::require(d >= 0 && d < dims(), "a shape of ", dims(), " dimensions has no dimension ", d);
  return dims_[static_cast<size_t>(d)];
}

void TensorShape::AppendShape(const TensorShape& shape) {
  std::vector<int64> dims = dim_sizes();
  dims.insert(dims.end(), shape.dims_.begin(), shape.dims_.end());
  Replace(dims);
}
void TensorShape::InsertDim(int d, int64 size) {
  rill::require(d >= 0 && d <= dims(), "cannot insert dimension ", d, " into ", DebugString());
  std::vector<int64> dims = dim_sizes();
  dims.insert(dims.begin() + d, size);
  Replace(dims);
}
void TensorShape::set_dim(int d, int64 size) {
  dim_size(d);
  std::vector<int64> dims = dim_sizes();
  dims[static_cast<size_t>(d)] = size;
  Replace(dims);
}
void TensorShape::RemoveDimRange(int begin, int end) {
  rill::require(0 <= begin && begin <= end && end <= dims(), "cannot remove dimensions ", begin,
                " to ", end, " of ", DebugString());
  std::vector<int64> dims = dim_sizes();
  dims.erase(dims.begin() + begin, dims.begin() + end);
  Replace(dims);
}

void TensorShape::AsProto(TensorShapeProto* proto) const {
  proto->Clear();
  for (const int64 size : dims_) proto->add_dim()->set_size(size);
}
TensorShapeProto TensorShape::AsProto() const {
  TensorShapeProto proto;
  AsProto(&proto);
  return proto;
}
string TensorShape::DebugString() const {
  string text = "[";
  for (const int64 size : dims_) text += (text.size() > 1 ? "," : "") + std::to_string(size);
  return text + "]";
}
string TensorShape::DebugString(const TensorShapeProto& proto) {
  return PartialTensorShape::DebugString(proto);
}
std::ostream& operator<<(std::ostream& out, const TensorShape& shape) {
  return out << shape.DebugString();
}

PartialTensorShape::PartialTensorShape(gtl::ArraySlice<int64> dim_sizes)
    : known_rank_(true), dims_(dim_sizes.begin(), dim_sizes.end()) {
  rill::PartialShape(dims_of(dims_).span());  // throws when a dimension is less than -1
}
PartialTensorShape::PartialTensorShape(const TensorShape& shape)
    : known_rank_(true), dims_(shape.dim_sizes()) {}
PartialTensorShape::PartialTensorShape(const TensorShapeProto& proto)
    : PartialTensorShape(from_rill(parse_shape(proto))) {}
bool PartialTensorShape::IsValid(const TensorShapeProto& proto) { return IsValidShape(proto).ok(); }
Status PartialTensorShape::IsValidShape(const TensorShapeProto& proto) {
  return guarded([&] { parse_shape(proto); });
}

int64 PartialTensorShape::dim_size(int d) const {
  if (unknown_rank()) return -1;
  rill::require(d >= 0 && d < dims(), "a shape of ", dims(), " dimensions has no dimension ", d);
  return dims_[static_cast<size_t>(d)];
}
int64 PartialTensorShape::num_elements() const { return to_rill(*this).element_count(); }
bool PartialTensorShape::IsFullyDefined() const { return to_rill(*this).is_full(); }
bool PartialTensorShape::AsTensorShape(TensorShape* shape) const {
  if (!IsFullyDefined()) return false;
  *shape = TensorShape(dims_);
  return true;
}
void PartialTensorShape::AddDim(int64 size) { *this = Concatenate(size); }
PartialTensorShape PartialTensorShape::Concatenate(int64 size) const {
  return Concatenate(PartialTensorShape({size}));
}
PartialTensorShape PartialTensorShape::Concatenate(const PartialTensorShape& shape) const {
  if (unknown_rank() || shape.unknown_rank()) return PartialTensorShape();
  PartialTensorShape result = *this;
  result.dims_.insert(result.dims_.end(), shape.dims_.begin(), shape.dims_.end());
  return result;
}
Status PartialTensorShape::MergeWith(const PartialTensorShape& shape,
                                     PartialTensorShape* result) const {
  return guarded([&] { *result = from_rill(to_rill(*this).merged(to_rill(shape))); });
}
bool PartialTensorShape::IsCompatibleWith(const PartialTensorShape& shape) const {
  return to_rill(*this).is_compatible(to_rill(shape));
}
Status PartialTensorShape::MakePartialShape(const int64* dims, int n, PartialTensorShape* out) {
  return guarded([&] { *out = PartialTensorShape(wide(dims, n)); });
}
Status PartialTensorShape::MakePartialShape(const int32* dims, int n, PartialTensorShape* out) {
  return guarded([&] { *out = PartialTensorShape(wide(dims, n)); });
}
void PartialTensorShape::AsProto(TensorShapeProto* proto) const {
  proto->Clear();
  if (unknown_rank()) proto->set_unknown_rank(true);
  for (const int64 size : dims_) proto->add_dim()->set_size(size);
}
string PartialTensorShape::DebugString() const { return to_text(to_rill(*this)); }
string PartialTensorShape::DebugString(const TensorShapeProto& proto) {
  try {
    return to_text(parse_shape(proto));
  } catch (const rill::Error& error) {
    return "<" + error.message() + ">";
  }
}
std::ostream& operator<<(std::ostream& out, const PartialTensorShape& shape) {
  return out << shape.DebugString();
}

Status TensorShapeUtils::MakeShape(const int32* dims, int64 n, TensorShape* out) {
  return guarded([&] { *out = TensorShape(wide(dims, n)); });
}
Status TensorShapeUtils::MakeShape(const int64* dims, int64 n, TensorShape* out) {
  return guarded([&] { *out = TensorShape(wide(dims, n)); });
}
bool TensorShapeUtils::StartsWith(const TensorShape& shape, const TensorShape& prefix) {
  if (shape.dims() < prefix.dims()) return false;
  for (int i = 0; i < prefix.dims(); ++i)
    if (shape.dim_size(i) != prefix.dim_size(i)) return false;
  return true;
}
bool TensorShapeUtils::EndsWith(const TensorShape& shape, const TensorShape& suffix) {
  const int skipped = shape.dims() - suffix.dims();
  if (skipped < 0) return false;
  for (int i = 0; i < suffix.dims(); ++i)
    if (shape.dim_size(i + skipped) != suffix.dim_size(i)) return false;
  return true;
}
Status TensorShapeUtils::NumElements(gtl::ArraySlice<int64> shape, int64* num_elements) {
  return guarded([&] { *num_elements = TensorShape(shape).num_elements(); });
}
string TensorShapeUtils::ShapeListString(const gtl::ArraySlice<TensorShape>& shapes) {
  string text = "[";
  for (const TensorShape& shape : shapes)
    text += (text.size() > 1 ? ", " : "") + shape.DebugString();
  return text + "]";
}

}  // namespace tensorflow
