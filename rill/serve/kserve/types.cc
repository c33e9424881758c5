#include "rill/serve/kserve/types.h"

#include <cstring>
#include <limits>
#include <utility>

#include "rill/base/error.h"

namespace rill::serve {
namespace {

struct TypeName {
  const char* name;
  DType dtype;
};
constexpr TypeName kTypes[] = {
    {"BOOL", DType::boolean}, {"UINT8", DType::u8}, {"UINT16", DType::u16}, {"UINT32", DType::u32},
    {"UINT64", DType::u64},   {"INT8", DType::i8},  {"INT16", DType::i16},  {"INT32", DType::i32},
    {"INT64", DType::i64},    {"FP16", DType::f16}, {"FP32", DType::f32},   {"FP64", DType::f64},
    {"BYTES", DType::string}, {"BF16", DType::bf16}};
constexpr std::size_t kLengthBytes = 4;

}  // namespace

std::string_view kserve_type(DType dtype) {
  for (const TypeName& type : kTypes)
    if (type.dtype == dtype) return type.name;
  raise(Code::kUnimplemented, "KServe's protocol has no type for ", dtype);
}

DType parse_kserve_type(std::string_view name) {
  for (const TypeName& type : kTypes)
    if (name == type.name) return type.dtype;
  raise(Code::kInvalidArgument, "KServe's protocol has no type ", quoted(name));
}

std::string tensor_bytes(const Tensor& tensor) {
  if (tensor.dtype() != DType::string)
    return {static_cast<const char*>(tensor.raw_data()), tensor.byte_size()};
  std::string bytes;
  for (const std::string& text : tensor.flat<std::string>()) {
    if (text.size() > std::numeric_limits<std::uint32_t>::max())
      raise(Code::kOutOfRange, "A text of ", text.size(),
            " bytes is too long for KServe's protocol");
    for (std::size_t i = 0; i < kLengthBytes; ++i)
      bytes += static_cast<char>(text.size() >> (8 * i) & 0xff);
    bytes += text;
  }
  return bytes;
}

Tensor tensor_of_bytes(std::string_view bytes, DType dtype, const Shape& shape) {
  if (dtype != DType::string) {
    const auto wanted = static_cast<std::uint64_t>(shape.element_count());
    require(wanted <= bytes.size() && wanted * element_size(dtype) == bytes.size(), bytes.size(),
            " bytes were sent for a tensor of type ", dtype, " and shape ", shape);
    Tensor tensor(dtype, shape);
    if (!bytes.empty()) std::memcpy(tensor.raw_data(), bytes.data(), bytes.size());
    if (dtype == DType::boolean)  // anything but 0 is true, and kernels know but 0 and 1
      for (std::size_t i = 0; i < bytes.size(); ++i) tensor.data<bool>()[i] = bytes[i] != 0;
    return tensor;
  }
  require(static_cast<std::uint64_t>(shape.element_count()) <= bytes.size() / kLengthBytes,
          bytes.size(), " bytes were sent for texts of shape ", shape);
  Tensor tensor(dtype, shape);
  for (std::string& text : tensor.flat<std::string>()) {
    require(bytes.size() >= kLengthBytes, "The bytes of a tensor end within a length");
    std::size_t length = 0;
    for (std::size_t i = 0; i < kLengthBytes; ++i)
      length |= static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    bytes.remove_prefix(kLengthBytes);
    require(length <= bytes.size(), "The bytes of a tensor end within a text");
    text.assign(bytes.substr(0, length));
    bytes.remove_prefix(length);
  }
  require(bytes.empty(), "There are more bytes than texts of shape ", shape, " need");
  return tensor;
}

Tensor narrowed(const Tensor& numbers, DType dtype) {
  Tensor narrow(dtype, numbers.shape());
  const auto copy = [&]<class T>(T* to) {
    for (const std::int32_t number : numbers.flat<std::int32_t>()) {
      require(std::in_range<T>(number), number, " is no ", kserve_type(dtype));
      *to++ = static_cast<T>(number);
    }
  };
  switch (dtype) {
    case DType::i8:
      copy(narrow.data<std::int8_t>());
      break;
    case DType::u8:
      copy(narrow.data<std::uint8_t>());
      break;
    case DType::i16:
      copy(narrow.data<std::int16_t>());
      break;
    case DType::u16:
      copy(narrow.data<std::uint16_t>());
      break;
    default:
      raise(Code::kInternal, dtype, " is not narrower than int32");
  }
  return narrow;
}

}  // namespace rill::serve
