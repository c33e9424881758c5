#include "rill/serve/rest/json_numbers.h"

#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "rill/serve/rest/json_scan.h"
#include "rill/tensor/tensor_proto.h"

namespace rill::serve {
namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

// Walks a text that ends with a zero byte, at which everything stops.
class NumberScanner {
 public:
  NumberScanner(const char* begin, const char* end) : at_(begin), end_(end) {}

  bool take(char c) {
    space();
    if (*at_ != c) return false;
    ++at_;
    return true;
  }
  bool is_at(char c) {
    space();
    return *at_ == c;
  }
  bool is_at(char c, char next) {
    if (!is_at(c)) return false;
    const char* behind = at_ + 1;
    while (is_space(*behind)) ++behind;
    return *behind == next;
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

// The numbers of one input.
class NumericInput {
 public:
  // Behind those that are there. False when it is anything but lists of numbers of one shape.
  virtual bool read(NumberScanner* reader) = 0;
  virtual Tensor tensor() = 0;                      // of what was read
  virtual Tensor tensor_of_rows(std::int64_t) = 0;  // of what was read so many times
  virtual ~NumericInput() = default;
};

template <class T>
class NumberInput : public NumericInput {
 public:
  bool read(NumberScanner* reader) override { return reader->lists(&values_, &shape_); }
  Tensor tensor() override { return tensor_of(Shape(shape_.span()), std::move(values_)); }
  Tensor tensor_of_rows(std::int64_t count) override {
    std::vector<std::int64_t> dims{count};
    dims.insert(dims.end(), shape_.span().begin(), shape_.span().end());
    return tensor_of(Shape(std::span<const std::int64_t>(dims)), std::move(values_));
  }

 private:
  NumberStore<T> values_;
  ListShape shape_;
};

std::unique_ptr<NumericInput> make_input(DType dtype) {
  switch (dtype) {
    case DType::f32:
      return std::make_unique<NumberInput<float>>();
    case DType::f64:
      return std::make_unique<NumberInput<double>>();
    case DType::i32:
      return std::make_unique<NumberInput<std::int32_t>>();
    case DType::i64:
      return std::make_unique<NumberInput<std::int64_t>>();
    case DType::u8:
      return std::make_unique<NumberInput<std::uint8_t>>();
    default:
      return nullptr;
  }
}

// All inputs of a signature, if every one is of numbers.
class NumericInputs {
 public:
  bool make(const Signatures& signatures, const std::string& name) {
    const auto signature = signatures.find(name);
    if (signature == signatures.end()) return false;
    for (const auto& [input, info] : signature->second.inputs()) {
      auto made = make_input(dtype_from_proto(static_cast<int>(info.dtype())));
      if (made == nullptr) return false;
      inputs_[input] = std::move(made);
    }
    return !inputs_.empty();
  }

  // The value of the only one.
  bool read_sole(NumberScanner* reader, std::map<std::string, Tensor>* tensors) {
    if (inputs_.size() != 1 || !inputs_.begin()->second->read(reader)) return false;
    (*tensors)[inputs_.begin()->first] = inputs_.begin()->second->tensor();
    return true;
  }
  // {"a": [...], "b": [...]}
  bool read_columns(NumberScanner* reader, std::map<std::string, Tensor>* tensors) {
    if (!read_named(reader)) return false;
    for (auto& [name, input] : inputs_) (*tensors)[name] = input->tensor();
    return true;
  }
  // [{"a": [...], "b": [...]}, ...]
  bool read_rows(NumberScanner* reader, std::map<std::string, Tensor>* tensors) {
    std::int64_t count = 0;
    if (!reader->take('[')) return false;
    do {
      if (!read_named(reader)) return false;
      ++count;
    } while (reader->take(','));
    if (!reader->take(']')) return false;
    for (auto& [name, input] : inputs_) (*tensors)[name] = input->tensor_of_rows(count);
    return true;
  }

 private:
  // Every input once.
  bool read_named(NumberScanner* reader) {
    std::set<std::string_view> read;
    if (!reader->take('{')) return false;
    do {
      std::string_view name;
      if (!reader->string(&name) || !reader->take(':')) return false;
      const auto input = inputs_.find(name);
      if (input == inputs_.end() || !read.insert(name).second || !input->second->read(reader))
        return false;
    } while (reader->take(','));
    return reader->take('}') && read.size() == inputs_.size();
  }

  std::map<std::string, std::unique_ptr<NumericInput>, std::less<>> inputs_;
};

// The values of a request, by row or by column, with names or without.
bool read_values(NumberScanner* reader, const Signatures& signatures, JsonQuestion* parsed) {
  NumericInputs inputs;
  if (!inputs.make(signatures, parsed->question.signature)) return false;
  auto* const tensors = &parsed->question.inputs;
  if (parsed->layout == JsonLayout::kColumn)
    return reader->is_at('{') ? inputs.read_columns(reader, tensors)
                              : inputs.read_sole(reader, tensors);
  return reader->is_at('[', '{') ? inputs.read_rows(reader, tensors)
                                 : inputs.read_sole(reader, tensors);
}

}  // namespace

std::optional<JsonQuestion> read_number_request(const std::string& body,
                                                const Signatures& signatures) {
  NumberScanner reader(body.data(), body.data() + body.size());
  JsonQuestion parsed;
  parsed.question.signature = signature_name_of(std::string());
  bool has_values = false;
  if (!reader.take('{')) return std::nullopt;
  do {
    std::string_view key, text;
    if (!reader.string(&key) || !reader.take(':')) return std::nullopt;
    if (key == "signature_name" && !has_values) {
      if (!reader.string(&text)) return std::nullopt;
      parsed.question.signature = text;
      continue;
    }
    if (has_values || (key != "instances" && key != "inputs")) return std::nullopt;
    parsed.layout = key == "instances" ? JsonLayout::kRow : JsonLayout::kColumn;
    if (!read_values(&reader, signatures, &parsed)) return std::nullopt;
    has_values = true;
  } while (reader.take(','));
  if (!has_values || !reader.take('}') || !reader.is_over()) return std::nullopt;
  return parsed;
}

}  // namespace rill::serve
