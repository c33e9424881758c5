#include "rill/serve/rest/json_numbers.h"

#include <cstdlib>

#include "rill/serve/rest/json_scan.h"
#include "rill/tensor/tensor_proto.h"

namespace rill::serve {
namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

// Walks a text that ends with a zero byte, at which everything stops.
class Reader {
 public:
  Reader(const char* begin, const char* end) : at_(begin), end_(end) {}

  bool take(char c) {
    space();
    if (*at_ != c) return false;
    ++at_;
    return true;
  }
  bool is_over() {
    space();
    return at_ == end_;
  }
  // A string without escapes.
  bool string(std::string_view* text) {
    if (!take('"')) return false;
    const char* begin = at_;
    while (*at_ != '"' && *at_ != '\\' && static_cast<unsigned char>(*at_) >= ' ') ++at_;
    *text = {begin, static_cast<std::size_t>(at_ - begin)};
    return take('"');
  }

  // Lists of numbers of one shape, behind those that are there.
  template <class T>
  bool lists(NumberStore<T>* values, ListShape* shape) {
    space();
    if (*at_ != '[') return false;
    const char* const behind = scan_number_lists(at_, end_, values, shape);
    if (behind == nullptr) return false;
    at_ = behind;
    return true;
  }

 private:
  void space() {
    while (is_space(*at_)) ++at_;
  }

  const char* at_;
  const char* const end_;
};

// Small tensors are copied; large ones keep the memory that the numbers were put into.
template <class T>
Tensor tensor_of(const Shape& shape, NumberStore<T> values) {
  constexpr std::size_t kLarge = 64 << 10;
  const std::size_t bytes = values.size() * sizeof(T);
  if (bytes < kLarge) return Tensor::of<T>(shape, std::span<const T>(values.data(), values.size()));
  T* const memory = values.release();
  return Tensor(dtype_of<T>, shape,
                BufferRef(Buffer::borrow(
                    memory, bytes, [memory] { std::free(memory); }, false)),
                memory);
}

// The value of the one input. False when it is anything but lists of numbers.
template <class T>
bool read_tensor(Reader* reader, Tensor* tensor) {
  NumberStore<T> values;
  ListShape shape;
  if (!reader->lists(&values, &shape)) return false;
  *tensor = tensor_of(Shape(shape.span()), std::move(values));
  return true;
}

bool read_tensor(Reader* reader, DType dtype, Tensor* tensor) {
  switch (dtype) {
    case DType::f32:
      return read_tensor<float>(reader, tensor);
    case DType::f64:
      return read_tensor<double>(reader, tensor);
    case DType::i32:
      return read_tensor<std::int32_t>(reader, tensor);
    case DType::i64:
      return read_tensor<std::int64_t>(reader, tensor);
    case DType::u8:
      return read_tensor<std::uint8_t>(reader, tensor);
    default:
      return false;
  }
}

using InputInfo = google::protobuf::Map<std::string, tensorflow::TensorInfo>::value_type;

// The only input of a signature, or nothing.
const InputInfo* sole_input(const Signatures& signatures, const std::string& name) {
  const auto signature = signatures.find(name);
  if (signature == signatures.end() || signature->second.inputs_size() != 1) return nullptr;
  return &*signature->second.inputs().begin();
}

}  // namespace

std::optional<JsonQuestion> read_number_request(const std::string& body,
                                                const Signatures& signatures) {
  Reader reader(body.data(), body.data() + body.size());
  JsonQuestion parsed;
  std::string signature = signature_name_of(std::string());
  bool has_values = false;
  if (!reader.take('{')) return std::nullopt;
  do {
    std::string_view key, text;
    if (!reader.string(&key) || !reader.take(':')) return std::nullopt;
    if (key == "signature_name" && !has_values) {
      if (!reader.string(&text)) return std::nullopt;
      signature = text;
      continue;
    }
    const auto* input = sole_input(signatures, signature);
    if (input == nullptr || has_values || (key != "instances" && key != "inputs"))
      return std::nullopt;
    parsed.layout = key == "instances" ? JsonLayout::kRow : JsonLayout::kColumn;
    const DType dtype = dtype_from_proto(static_cast<int>(input->second.dtype()));
    if (!read_tensor(&reader, dtype, &parsed.question.inputs[input->first])) return std::nullopt;
    has_values = true;
  } while (reader.take(','));
  if (!has_values || !reader.take('}') || !reader.is_over()) return std::nullopt;
  parsed.question.signature = signature;
  return parsed;
}

}  // namespace rill::serve
