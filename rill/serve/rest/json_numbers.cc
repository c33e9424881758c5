#include "rill/serve/rest/json_numbers.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

#include "rill/tensor/tensor_proto.h"

namespace rill::serve {
namespace {

constexpr int kDeepest = 16;
constexpr std::uint64_t kZeros = 0x3030303030303030;  // "00000000"
constexpr int kMostDigits = 7;                        // that are read at once
constexpr double kPowers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};

bool is_space(char c) {
  if (c > ' ') [[likely]]
    return false;
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

// Up to seven digits, without a branch for how many there are: eight bytes of text become eight
// digits by turning what follows the number into zeros before it. Returns how many digits there
// were; 8 says that there may be more.
int read_digits(const char* text, std::uint32_t* value) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t digits = 0;
  std::memcpy(&digits, text, sizeof digits);
  digits ^= kZeros;
  // The high bit of each byte that is no digit; those behind the first may be wrong.
  const std::uint64_t others = ((digits + 0x7676767676767676) | digits) & 0x8080808080808080;
  const int count = std::countr_zero(others) / 8;
  if (count == 0 || count > kMostDigits) return count;
  digits <<= 64 - 8 * count;
  digits = digits * 10 + (digits >> 8);  // pairs of digits, then fours, then all
  constexpr std::uint64_t kPairs = 0x000000FF000000FF;
  digits = (((digits & kPairs) * (100 + (1000000ULL << 32))) +
            (((digits >> 16) & kPairs) * (1 + (10000ULL << 32)))) >>
           32;
  *value = static_cast<std::uint32_t>(digits);
  return count;
}

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

  // Lists of numbers, of one shape, which goes into `dims`. Each of `values`, of which there is
  // room for as many as the text can have, is set in turn.
  template <class T>
  bool lists(T** values, std::vector<std::int64_t>* dims, std::size_t level) {
    if (!take('[') || level >= kDeepest) return false;
    const bool is_first = dims->size() == level;
    if (is_first) dims->push_back(0);
    std::int64_t count = 0;
    space();
    if (*at_ == '[') {
      if (dims->size() == level + 1 && !is_first) return false;  // numbers stood here before
      do {
        if (!lists(values, dims, level + 1)) return false;
        ++count;
      } while (take(','));
    } else {
      if (dims->size() != level + 1) return false;
      T* const begin = *values;
      do {
        if (!number((*values)++)) return false;
      } while (take(','));
      count = *values - begin;
    }
    if (is_first) (*dims)[level] = count;
    return (*dims)[level] == count && take(']');
  }

 private:
  void space() {
    while (is_space(*at_)) ++at_;
  }
  int digits(const char* text, std::uint32_t* value) const {
    constexpr std::ptrdiff_t kAtOnce = 8;
    if (end_ - text >= kAtOnce) [[likely]]
      return read_digits(text, value);
    char last[kAtOnce] = {};
    std::copy(text, end_, last);
    return read_digits(last, value);
  }
  bool at_number_end() const { return *at_ == ',' || *at_ == ']' || is_space(*at_); }

  template <class T>
  bool number(T* value) {
    space();
    const char* const begin = at_;
    const bool negative = *at_ == '-';
    if (negative) ++at_;
    std::uint32_t whole = 0;
    const int count = digits(at_, &whole);
    if (count == 0 || (count > 1 && *at_ == '0')) return false;
    at_ += count;
    if (count <= kMostDigits && at_number_end()) {
      if constexpr (std::is_unsigned_v<T> && sizeof(T) >= 4) {
        *value = whole;
        return !negative || whole == 0;
      } else if constexpr (std::is_integral_v<T>) {
        *value = static_cast<T>(negative ? -static_cast<std::int32_t>(whole)
                                         : static_cast<std::int32_t>(whole));
      } else {
        // As a whole number, of which there is no negative zero.
        const auto digits = static_cast<std::int32_t>(whole);
        *value = static_cast<T>(negative ? -digits : digits);
      }
      return true;
    }
    if constexpr (std::is_floating_point_v<T>) {
      if (count <= kMostDigits && *at_ == '.') {
        std::uint32_t part = 0;
        const int places = digits(at_ + 1, &part);
        if (places > 0 && places <= kMostDigits) {
          at_ += 1 + places;
          if (at_number_end()) {
            // Both are exact, so the quotient is the double that is nearest to the number.
            const double digits = whole * kPowers[places] + part;
            *value = static_cast<T>((negative ? -digits : digits) / kPowers[places]);
            return true;
          }
        }
      }
      at_ = begin;
      return long_number(value);
    }
    return false;
  }

  template <class T>
  bool long_number(T* value) {
    double number = 0;
    const char* const digits = at_ + (*at_ == '-' ? 1 : 0);
    const char* stop = digits;  // only what JSON calls a number
    while (stop < end_ && ((*stop >= '0' && *stop <= '9') || *stop == '.' || *stop == 'e' ||
                           *stop == 'E' || *stop == '+' || *stop == '-'))
      ++stop;
    if (stop[-1] < '0' || stop[-1] > '9') return false;  // as in "1."
    const char* const point = std::find(digits, stop, '.');
    if (point != stop && (point[1] < '0' || point[1] > '9')) return false;  // as in "1.e5"
    const auto [rest, error] = std::from_chars(at_, stop, number);
    if (error != std::errc() || rest != stop) return false;
    at_ = stop;
    *value = static_cast<T>(number);
    return at_number_end();
  }

  const char* at_;
  const char* const end_;
};

// The value of the one input. False when it is anything but lists of numbers.
template <class T>
bool read_tensor(Reader* reader, std::size_t text_size, Tensor* tensor) {
  // Each number takes a digit and what follows it. Memory that is not written to costs nothing.
  const auto values = std::make_unique_for_overwrite<T[]>(text_size / 2 + 1);
  std::vector<std::int64_t> dims;
  T* end = values.get();
  if (!reader->lists(&end, &dims, 0)) return false;
  *tensor = Tensor::of<T>(Shape(std::span<const std::int64_t>(dims)),
                          std::span<const T>(values.get(), end));
  return true;
}

bool read_tensor(Reader* reader, DType dtype, std::size_t text_size, Tensor* tensor) {
  switch (dtype) {
    case DType::f32:
      return read_tensor<float>(reader, text_size, tensor);
    case DType::f64:
      return read_tensor<double>(reader, text_size, tensor);
    case DType::i32:
      return read_tensor<std::int32_t>(reader, text_size, tensor);
    case DType::i64:
      return read_tensor<std::int64_t>(reader, text_size, tensor);
    case DType::u8:
      return read_tensor<std::uint8_t>(reader, text_size, tensor);
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
    if (!read_tensor(&reader, dtype, body.size(), &parsed.question.inputs[input->first]))
      return std::nullopt;
    has_values = true;
  } while (reader.take(','));
  if (!has_values || !reader.take('}') || !reader.is_over()) return std::nullopt;
  parsed.question.signature = signature;
  return parsed;
}

}  // namespace rill::serve
