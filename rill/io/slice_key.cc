// Keys whose bytes sort as the values in them do.
#include "rill/io/tensor_slice.h"

namespace rill {
namespace {

// Zero and 0xff are special inside a text, so that its end sorts before everything else.
void append_text(std::string_view text, std::string* key) {
  for (const char c : text) {
    key->push_back(c);
    if (c == '\0') key->push_back('\xff');
    if (c == '\xff') key->push_back('\0');
  }
  key->append({'\0', '\1'});
}

void append_count(std::uint64_t value, std::string* key) {
  std::string digits;
  for (; value > 0; value >>= 8) digits.insert(digits.begin(), static_cast<char>(value));
  key->push_back(static_cast<char>(digits.size()));
  key->append(digits);
}

// Big-endian in as few bytes as hold 7 bits each and the sign; the first bits count the bytes: as
// many ones as there are bytes, then a zero, all inverted for negative values.
void append_number(std::int64_t value, std::string* key) {
  constexpr int kMaxSize = 10;
  const auto magnitude = static_cast<std::uint64_t>(value < 0 ? ~value : value);
  int size = 1;
  while (size < kMaxSize && magnitude >> (7 * size - 1) != 0) ++size;
  std::string bytes(static_cast<std::size_t>(size), value < 0 ? '\xff' : '\0');
  for (int i = 0; i < size && i < 8; ++i)
    bytes[static_cast<std::size_t>(size - 1 - i)] = static_cast<char>(value >> (8 * i));
  for (int bit = 0; bit < size; ++bit) {
    auto& byte = bytes[static_cast<std::size_t>(bit / 8)];
    byte = static_cast<char>(byte ^ (0x80 >> (bit % 8)));
  }
  key->append(bytes);
}

}  // namespace

std::string slice_key(std::string_view name, const TensorSlice& slice) {
  std::string key;
  append_count(0, &key);
  append_text(name, &key);
  append_count(static_cast<std::uint64_t>(slice.rank()), &key);
  for (const auto& range : slice.ranges()) {
    append_number(range.start, &key);
    append_number(range.length, &key);
  }
  return key;
}

}  // namespace rill
