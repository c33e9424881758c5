#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "rill/base/file_system.h"
#include "rill/base/function_ref.h"
#include "rill/io/coding.h"

namespace rill::board {

// The bytes of a message that lies in memory.
class BytesInMemory {
 public:
  explicit BytesInMemory(std::string_view bytes) : bytes_(bytes) {}

  // At most `most` bytes from `at`; fewer only at the end.
  std::string_view look(std::uint64_t at, std::size_t most) const {
    return at < bytes_.size() ? bytes_.substr(at, most) : std::string_view();
  }
  // All of these bytes, which are there; `keep` holds them where they must be read first.
  std::string_view take(std::uint64_t at, std::size_t size, std::string* /*keep*/) const {
    return bytes_.substr(at, size);
  }

 private:
  std::string_view bytes_;
};

// The bytes of a message in a file, of which only what is looked at is read.
class BytesInFile {
 public:
  BytesInFile(const ReadableFile& file, std::uint64_t begin, std::uint64_t size)
      : file_(file), begin_(begin), size_(size) {}

  std::string_view look(std::uint64_t at, std::size_t most);
  std::string_view take(std::uint64_t at, std::size_t size, std::string* keep);

 private:
  const ReadableFile& file_;
  const std::uint64_t begin_, size_;
  std::uint64_t window_at_ = 0;
  std::size_t window_size_ = 0;
  char window_[512];
};

// The fields of a protobuf message one after the other; no message is made of them, and nothing is
// copied. Lengths are checked: a message that makes no sense ends early.
template <class Bytes>
class Fields {
 public:
  Fields(Bytes& bytes, std::uint64_t begin, std::uint64_t size)
      : bytes_(bytes), at_(begin), end_(begin + size) {}

  // False at the end, and where what follows is no field.
  bool next() {
    std::string_view head = bytes_.look(at_, std::min<std::uint64_t>(kMostHead, end_ - at_));
    const std::size_t had = head.size();
    std::uint64_t key = 0;
    if (!take_varint(&head, &key, ~std::uint32_t{0}) || key < 8) return false;
    number_ = static_cast<std::uint32_t>(key >> 3);
    type_ = static_cast<int>(key & 7);
    if (type_ == kVarint || type_ == kBytes) {
      if (!take_varint(&head, &value_)) return false;
    } else if (type_ == kFixed64 && head.size() >= 8) {
      value_ = load_fixed<std::uint64_t>(head.data());
      head.remove_prefix(8);
    } else if (type_ == kFixed32 && head.size() >= 4) {
      value_ = load_fixed<std::uint32_t>(head.data());
      head.remove_prefix(4);
    } else {
      return false;  // groups too: no message here has any
    }
    begin_ = at_ + had - head.size();
    if (type_ == kBytes && value_ > end_ - begin_) return false;
    at_ = type_ == kBytes ? begin_ + value_ : begin_;
    return true;
  }

  std::uint32_t number() const { return number_; }
  bool is(std::uint32_t number, int type) const { return number_ == number && type_ == type; }
  bool is_bytes(std::uint32_t number) const { return is(number, kBytes); }

  std::uint64_t integer() const { return value_; }
  double as_double() const { return std::bit_cast<double>(value_); }
  float as_float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(value_)); }
  // Of bytes: where they are.
  std::uint64_t begin() const { return begin_; }
  std::uint64_t size() const { return value_; }
  std::string_view text(std::string* keep) const {
    return bytes_.take(begin_, static_cast<std::size_t>(value_), keep);
  }

  static constexpr int kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5;

 private:
  static constexpr std::uint64_t kMostHead = 16;  // a key and a number

  Bytes& bytes_;
  std::uint64_t at_;
  const std::uint64_t end_;
  std::uint32_t number_ = 0;
  int type_ = 0;
  std::uint64_t value_ = 0, begin_ = 0;
};

// Calls `use` with every field of a message in memory.
using MessageField = Fields<BytesInMemory>;
void each_field(std::string_view message, FunctionRef<void(const MessageField&)> use);
inline std::string_view text_of(const MessageField& field) { return field.text(nullptr); }

}  // namespace rill::board
