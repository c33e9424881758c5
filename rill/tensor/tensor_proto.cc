#include "rill/tensor/tensor_proto.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <type_traits>

#include "rill/base/memory.h"
#include "rill/tensor/base128.h"
#include "rill/tensor/dtype_visit.h"
#include "rill/tensor/proto_fields.h"
#include "tensorflow/core/framework/tensor.pb.h"

namespace rill {
namespace {

using tensorflow::TensorProto;

static_assert(std::endian::native == std::endian::little, "tensor_content is little-endian");

// The types whose arrays Python writes as raw bytes.
constexpr TypeSet kPythonContentTypes = (kRealTypes | kQuantizedTypes) - TypeSet(DType::u16);

template <class T>
bool same_bits(const T& a, const T& b) {
  if constexpr (std::is_same_v<T, std::string>) return a == b;
  if constexpr (std::is_trivially_copyable_v<T>) return std::memcmp(&a, &b, sizeof(T)) == 0;
  return false;
}

// How many leading elements tell the tensor, if the last of them is repeated; none when all are
// zero.
template <class T>
std::size_t telling_count(std::span<const T> values) {
  std::size_t count = values.size();
  while (count > 1 && same_bits(values[count - 1], values[count - 2])) --count;
  return count == 1 && same_bits(values[0], T()) ? 0 : count;
}

template <class T>
void write_fields(std::span<const T> values, TensorProto* proto) {
  auto* list = ProtoField<T>::list(proto);
  list->Reserve(static_cast<int>(values.size()) * ProtoField<T>::kWidth);
  for (const T& value : values) ProtoField<T>::add(value, list);
}

void write_content(const Tensor& tensor, TensorProto* proto) {
  if (tensor.byte_size() > 0) proto->set_tensor_content(tensor.raw_data(), tensor.byte_size());
}

// A list longer than protobuf can hold, or a message beyond its 2 GB, would fail only later and
// without a name.
void check_writable(const Tensor& tensor) {
  require(tensor.byte_size() < std::size_t{1} << 31, "a tensor of ", tensor.byte_size(),
          " bytes does not fit into a protocol buffer, which is limited to 2GB");
}

template <class T>
void write_compact(const Tensor& tensor, TensorProto* proto) {
  const auto values = std::span<const T>(tensor.flat<T>());
  const std::size_t count = telling_count(values);
  if (is_trivial(tensor.dtype()) && values.size() > 1 && count > values.size() / 2)
    return write_content(tensor, proto);
  write_fields(values.first(count), proto);
}

template <class T>
void write_values(const Tensor& tensor, ProtoForm form, TensorProto* proto) {
  if (form == ProtoForm::compact) return write_compact<T>(tensor, proto);
  const bool several = tensor.element_count() > 1;
  const bool as_content =
      form == ProtoForm::content
          ? is_trivial(tensor.dtype())
          : form == ProtoForm::constant && several && kPythonContentTypes.contains(tensor.dtype());
  if (as_content) return write_content(tensor, proto);
  write_fields(std::span<const T>(tensor.flat<T>()), proto);
}

// --- reading ---------------------------------------------------------------------------------

Tensor read_numbers(const std::string& content, DType dtype, const Shape& shape) {
  // Before the memory is asked for, so that the message pays for what it gets.
  require(content.size() == shape.byte_size(element_size(dtype)), "tensor_content of ",
          content.size(), " bytes does not fill ", dtype, shape);
  if (dtype == DType::boolean)
    for (const char byte : content)
      require(byte == 0 || byte == 1, "tensor_content of bool holds the byte ", int{byte});
  Tensor tensor(dtype, shape);
  std::memcpy(tensor.raw_data(), content.data(), content.size());
  return tensor;
}

// The bytes of each element: all lengths stand first, then all bytes.
std::vector<std::string_view> cut_content(std::string_view rest, std::size_t count) {
  require(count <= rest.size(), "tensor_content of ", rest.size(), " bytes does not hold ", count,
          " strings");
  std::vector<std::uint64_t> sizes(count);
  for (auto& size : sizes) size = take_base128(&rest, "tensor_content of strings");
  std::vector<std::string_view> pieces(count);
  for (std::size_t i = 0; i < count; ++i) {
    require(sizes[i] <= rest.size(), "tensor_content of strings ends inside string ", i);
    pieces[i] = rest.substr(0, sizes[i]);
    rest.remove_prefix(sizes[i]);
  }
  require(rest.empty(), "tensor_content of strings has ", rest.size(), " bytes too many");
  return pieces;
}

Tensor read_strings(const std::string& content, const Shape& shape) {
  const auto pieces = cut_content(content, static_cast<std::size_t>(shape.element_count()));
  Tensor tensor(DType::string, shape);
  std::copy(pieces.begin(), pieces.end(), tensor.data<std::string>());
  return tensor;
}

// Variants in variants: protobuf limits how deep messages nest, but not how deep their bytes do.
class ReadingVariants {
 public:
  ReadingVariants() {
    constexpr int kDeepest = 64;
    require(depth_ < kDeepest, "variants are nested more than ", kDeepest, " deep");
    ++depth_;
  }
  ~ReadingVariants() { --depth_; }
  ReadingVariants(const ReadingVariants&) = delete;
  ReadingVariants& operator=(const ReadingVariants&) = delete;

 private:
  static thread_local int depth_;
};
thread_local int ReadingVariants::depth_ = 0;

Tensor read_variants(const std::string& content, const Shape& shape) {
  const ReadingVariants depth;
  const auto pieces = cut_content(content, static_cast<std::size_t>(shape.element_count()));
  TensorProto proto;
  for (const std::string_view piece : pieces)
    require(proto.add_variant_val()->ParseFromArray(piece.data(), static_cast<int>(piece.size())),
            "tensor_content of variants holds something else");
  Tensor tensor(DType::variant, shape);
  for (std::size_t i = 0; i < pieces.size(); ++i)
    tensor.data<Variant>()[i] = ProtoField<Variant>::get(proto.variant_val(), static_cast<int>(i));
  return tensor;
}

Tensor read_content(const std::string& content, DType dtype, const Shape& shape) {
  if (dtype == DType::string) return read_strings(content, shape);
  if (dtype == DType::variant) return read_variants(content, shape);
  require(is_trivial(dtype), "tensor_content cannot hold elements of dtype ", dtype);
  return read_numbers(content, dtype, shape);
}

// The bytes an element holds beyond its own size.
std::size_t held_bytes(const std::string& s) { return s.size(); }
std::size_t held_bytes(const auto&) { return 0; }

// What strings may take outside the allocator, which does not count them.
std::size_t string_memory() {
  const auto limit = static_cast<std::size_t>(cpu_allocator().stats().limit_bytes);
  return limit > 0 ? std::min(limit, available_memory()) : available_memory();
}

template <class T>
void repeat_last(std::span<T> values, std::size_t given) {
  const T& last = values[given - 1];
  const std::size_t copies = values.size() - given;
  if (copies > 0 && held_bytes(last) > 0 && held_bytes(last) > string_memory() / copies)
    raise(Code::kResourceExhausted, "OOM: ", copies, " copies of a string of ", held_bytes(last),
          " bytes do not fit in memory");
  std::fill(values.begin() + static_cast<std::ptrdiff_t>(given), values.end(), last);
}

template <class T>
Tensor read_fields(const TensorProto& proto, const Shape& shape) {
  using Field = ProtoField<T>;
  const auto& list = Field::list(proto);
  const auto given = static_cast<std::size_t>(list.size() / Field::kWidth);
  const auto wanted = static_cast<std::size_t>(shape.element_count());
  // One value for an empty tensor is a repetition of length zero.
  require(given <= std::max<std::size_t>(wanted, 1) && list.size() % Field::kWidth == 0,
          list.size(), " numbers or objects given for a tensor of ", dtype_of<T>, shape);
  if (given == 0) return Tensor::zeros(dtype_of<T>, shape);
  Tensor tensor(dtype_of<T>, shape);
  if (wanted == 0) return tensor;
  const std::span<T> values = tensor.flat<T>();
  for (std::size_t i = 0; i < given; ++i)
    values[i] = Field::get(list, static_cast<int>(i) * Field::kWidth);
  repeat_last(values, given);
  return tensor;
}

Shape full_shape(const tensorflow::TensorShapeProto& proto) {
  Dims dims;
  for (const auto& dim : proto.dim()) dims.push_back(dim.size());
  return Shape(dims.span());
}

}  // namespace

void to_proto(const Tensor& tensor, TensorProto* proto, ProtoForm form) {
  proto->Clear();
  require(tensor.has_value(), "a tensor without a value cannot be written to a TensorProto");
  check_writable(tensor);
  proto->set_dtype(static_cast<tensorflow::DataType>(tensor.dtype()));
  to_proto(tensor.shape(), proto->mutable_tensor_shape());
  visit_dtype(tensor.dtype(), [&]<class T>() { write_values<T>(tensor, form, proto); });
}

Tensor from_proto(const TensorProto& proto) try {
  const DType dtype = dtype_from_proto(proto.dtype());
  require(!is_ref(dtype), "a TensorProto cannot have the reference type ", dtype);
  const Shape shape = full_shape(proto.tensor_shape());
  if (!proto.tensor_content().empty()) return read_content(proto.tensor_content(), dtype, shape);
  return visit_dtype(dtype, [&]<class T>() { return read_fields<T>(proto, shape); });
} catch (const std::bad_alloc&) {
  raise(Code::kResourceExhausted, "OOM: out of memory while reading a TensorProto");
}

void to_proto_filled(const Tensor& tensor, std::int64_t given, TensorProto* proto) {
  proto->Clear();
  check_writable(tensor);
  proto->set_dtype(static_cast<tensorflow::DataType>(tensor.dtype()));
  to_proto(tensor.shape(), proto->mutable_tensor_shape());
  visit_dtype(tensor.dtype(), [&]<class T>() {
    const auto values = std::span<const T>(tensor.flat<T>());
    write_fields(values.first(std::min(values.size(), static_cast<std::size_t>(given))), proto);
  });
}

void to_proto(const PartialShape& shape, tensorflow::TensorShapeProto* proto) {
  proto->Clear();
  proto->set_unknown_rank(!shape.has_rank());
  for (const std::int64_t dim : shape.dims()) proto->add_dim()->set_size(dim);
}

PartialShape shape_from_proto(const tensorflow::TensorShapeProto& proto) {
  if (proto.unknown_rank()) {
    require(proto.dim().empty(), "a shape of unknown rank has ", proto.dim_size(), " dimensions");
    return {};
  }
  Dims dims;
  for (const auto& dim : proto.dim()) dims.push_back(dim.size());
  return PartialShape(dims.span());
}

DType dtype_from_proto(int number) {
  const auto dtype = static_cast<DType>(number);
  require(number > 0 && number < 256 && is_valid(dtype), "no dtype has the number ", number);
  return dtype;
}

}  // namespace rill
