#include "tensorflow/core/framework/tensor.h"

#include "rill/compat/convert.h"
#include "rill/tensor/tensor_proto.h"

namespace tensorflow {
namespace {

bool is_aligned(const void* data) {
  return reinterpret_cast<std::uintptr_t>(data) % Allocator::kAllocatorAlignment == 0;
}

[[noreturn]] void fail(const string& message) { raise(rill::Code::kInternal, message); }

}  // namespace

static_assert(sizeof(bfloat16) == 2 && sizeof(Eigen::half) == 2 && sizeof(qint8) == 1 &&
              sizeof(quint16) == 2 && sizeof(qint32) == 4);

Tensor TensorAccess::wrap(const rill::Tensor& tensor) {
  Tensor result;
  if (!tensor.has_value()) return result;
  result.storage_ = new Tensor::Storage{tensor};
  result.data_ = tensor.raw_data();
  result.dtype_ = from_rill(tensor.dtype());
  result.shape_ = from_rill(tensor.shape());
  return result;
}

Tensor TensorAccess::wrap_aligned(const rill::Tensor& tensor) {
  const bool has_elements = tensor.has_value() && tensor.element_count() > 0;
  const bool unaligned =
      has_elements && rill::is_trivial(tensor.dtype()) && !is_aligned(tensor.raw_data());
  const bool borrowed = has_elements && tensor.buffer() && tensor.buffer()->borrowed();
  return wrap(unaligned || borrowed ? tensor.clone() : tensor);
}

rill::Tensor TensorAccess::unwrap(const Tensor& tensor) {
  if (tensor.storage_ == nullptr) {
    if (tensor.NumElements() != 0) return {};
    return rill::Tensor(to_rill(tensor.dtype_), to_rill(tensor.shape_));
  }
  rill::Shape shape = to_rill(tensor.shape_);
  const rill::Tensor& value = tensor.storage_->value;
  return shape == value.shape() ? value : value.reshaped(std::move(shape));
}

Tensor::Tensor() : Tensor(DT_FLOAT) {}
Tensor::Tensor(DataType type) : storage_(nullptr), data_(nullptr), dtype_(type), shape_({0}) {}
Tensor::Tensor(DataType type, const TensorShape& shape)
    : storage_(nullptr), data_(nullptr), dtype_(type), shape_(shape) {
  rill::require(rill::is_valid(to_rill(type)) && !IsRefType(type), "no tensor can be of type ",
                static_cast<int>(type));
  storage_ = new Storage{rill::Tensor(to_rill(type), to_rill(shape))};
  data_ = storage_->value.raw_data();
}
Tensor::Tensor(Allocator*, DataType type, const TensorShape& shape) : Tensor(type, shape) {}
Tensor::Tensor(const Tensor& other)
    : storage_(other.storage_ == nullptr ? nullptr : new Storage(*other.storage_)),
      data_(other.data_),
      dtype_(other.dtype_),
      shape_(other.shape_) {}
Tensor::Tensor(Tensor&& other) noexcept
    : storage_(other.storage_), data_(other.data_), dtype_(other.dtype_), shape_(other.shape_) {
  other.storage_ = nullptr;
  other.data_ = nullptr;  // without storage its shape says nothing
}
Tensor& Tensor::operator=(const Tensor& other) { return *this = Tensor(other); }
Tensor& Tensor::operator=(Tensor&& other) noexcept {
  std::swap(storage_, other.storage_);
  std::swap(data_, other.data_);
  std::swap(dtype_, other.dtype_);
  std::swap(shape_, other.shape_);
  return *this;
}
Tensor::~Tensor() { delete storage_; }

size_t Tensor::TotalBytes() const {
  return static_cast<size_t>(NumElements()) * rill::element_size(to_rill(dtype_));
}
bool Tensor::IsInitialized() const {
  return storage_ != nullptr || (NumElements() == 0 && shape_ != TensorShape({0}));
}
bool Tensor::IsAligned() const { return NumElements() == 0 || is_aligned(data_); }
bool Tensor::SharesBufferWith(const Tensor& b) const {
  return storage_ != nullptr && b.storage_ != nullptr &&
         storage_->value.shares_storage(b.storage_->value);
}
bool Tensor::RefCountIsOne() const { return storage_ != nullptr && storage_->value.is_exclusive(); }

bool Tensor::CopyFrom(const Tensor& other, const TensorShape& shape) {
  if (other.NumElements() != shape.num_elements()) return false;
  *this = Tensor(other);
  shape_ = shape;
  return true;
}
void Tensor::UnsafeCopyFromInternal(const Tensor& other, DataType dtype, const TensorShape& shape) {
  const Status status = BitcastFrom(other, dtype, shape);
  if (!status.ok()) throw to_error(status);
}
Status Tensor::BitcastFrom(const Tensor& other, DataType dtype, const TensorShape& shape) {
  return guarded([&] {
    *this = TensorAccess::wrap(TensorAccess::unwrap(other).bitcast(to_rill(dtype), to_rill(shape)));
  });
}
Tensor Tensor::Slice(int64 dim0_start, int64 dim0_limit) const {
  return TensorAccess::wrap(TensorAccess::unwrap(*this).slice(dim0_start, dim0_limit));
}
Tensor Tensor::SubSlice(int64 index) const {
  Tensor result = Slice(index, index + 1);
  result.shape_.RemoveDim(0);
  return result;
}

bool Tensor::FromProto(const TensorProto& other) {
  return guarded([&] { *this = TensorAccess::wrap(rill::from_proto(other)); }).ok();
}
bool Tensor::FromProto(Allocator*, const TensorProto& other) { return FromProto(other); }
void Tensor::AsProtoField(TensorProto* proto) const {
  rill::to_proto(TensorAccess::unwrap(*this), proto, rill::ProtoForm::fields);
}
void Tensor::AsProtoTensorContent(TensorProto* proto) const {
  rill::to_proto(TensorAccess::unwrap(*this), proto, rill::ProtoForm::content);
}
StringPiece Tensor::tensor_data() const {
  if (!rill::is_trivial(to_rill(dtype_))) return StringPiece();
  return StringPiece(static_cast<const char*>(data_), TotalBytes());
}
string Tensor::SummarizeValue(int64 max_entries, bool print_v2) const {
  const rill::Tensor value = TensorAccess::unwrap(*this);
  if (!value.has_value())
    return "uninitialized Tensor of " + std::to_string(NumElements()) + " elements of type " +
           std::to_string(dtype_);
  if (print_v2) return rill::edge_summary(value, max_entries);
  const string text =
      rill::summary(value, max_entries);  // in brackets, which TensorFlow adds later
  return dims() > 0 && text.size() >= 2 ? text.substr(1, text.size() - 2) : text;
}
string Tensor::DebugString(int num_values) const {
  return "Tensor<type: " + DataTypeString(dtype_) + " shape: " + shape_.DebugString() +
         " values: " + SummarizeValue(num_values) + ">";
}

void Tensor::CheckType(DataType wanted) const {
  if (wanted != dtype_)
    fail("tensor of type " + DataTypeString(dtype_) + " was asked for elements of type " +
         DataTypeString(wanted));
  if (data_ == nullptr && NumElements() != 0) fail("tensor has no value");
}
void Tensor::CheckTypeAndIsAligned(DataType wanted) const {
  CheckType(wanted);
  if (rill::is_trivial(to_rill(dtype_)) && !IsAligned())
    fail("ptr is not aligned: a slice must be copied, or read with unaligned_flat()");
}
void Tensor::CheckElementSize(size_t bytes) const {
  if (rill::element_size(to_rill(dtype_)) != bytes || !rill::is_trivial(to_rill(dtype_)))
    fail("elements of type " + DataTypeString(dtype_) + " do not have " + std::to_string(bytes) +
         " bytes");
}
void Tensor::CheckIsScalar() const {
  if (NumElements() != 1) fail("Must have a one element tensor, got shape " + shape_.DebugString());
}
void Tensor::CheckSizes(gtl::ArraySlice<int64> sizes, size_t rank) const {
  int64 count = 1;
  if (sizes.size() == rank) count = TensorShape(sizes).num_elements();
  if (sizes.size() != rank || count != NumElements())
    fail("shape " + shape_.DebugString() + " cannot be seen as " +
         PartialTensorShape(sizes).DebugString() + " in " + std::to_string(rank) + " dimensions");
}

std::vector<int64> Tensor::ComputeFlatInnerDims(int64 num_out_dims) const {
  return ComputeFlatInnerOuterDims(num_out_dims, dims() - num_out_dims);
}
std::vector<int64> Tensor::ComputeFlatOuterDims(int64 num_out_dims) const {
  return ComputeFlatInnerOuterDims(num_out_dims, 0);
}
// Dimensions [begin, begin + n) as they are; those before join the first, those after the last.
std::vector<int64> Tensor::ComputeFlatInnerOuterDims(int64 num_out_dims, int64 begin) const {
  std::vector<int64> sizes;
  for (int64 i = begin; i < begin + num_out_dims; ++i)
    sizes.push_back(i >= 0 && i < dims() ? dim_size(static_cast<int>(i)) : 1);
  if (sizes.empty()) return sizes;
  for (int64 i = 0; i < begin && i < dims(); ++i) sizes.front() *= dim_size(static_cast<int>(i));
  for (int64 i = begin + num_out_dims; i < dims(); ++i)
    if (i >= 0) sizes.back() *= dim_size(static_cast<int>(i));
  return sizes;
}

}  // namespace tensorflow
