#ifndef TENSORFLOW_CORE_LIB_CORE_STRINGPIECE_H_
#define TENSORFLOW_CORE_LIB_CORE_STRINGPIECE_H_

#include <cstring>
#include <functional>
#include <ostream>
#include <string>
#if __cplusplus >= 201703L
#include <string_view>
#endif

#include "tensorflow/core/platform/types.h"

namespace tensorflow {

// A range of characters that somebody else owns.
class StringPiece {
 public:
  typedef size_t size_type;
  typedef const char* iterator;
  typedef const char* const_iterator;
  static const size_t npos = static_cast<size_t>(-1);

  StringPiece() : data_(nullptr), size_(0) {}
  StringPiece(const char* d, size_t n) : data_(d), size_(n) {}
  StringPiece(const std::string& s) : data_(s.data()), size_(s.size()) {}
  StringPiece(const char* s) : data_(s), size_(s == nullptr ? 0 : std::strlen(s)) {}
#if __cplusplus >= 201703L
  StringPiece(std::string_view s) : data_(s.data()), size_(s.size()) {}
  operator std::string_view() const { return std::string_view(data_, size_); }
#endif

  const char* data() const { return data_; }
  size_t size() const { return size_; }
  size_t length() const { return size_; }
  bool empty() const { return size_ == 0; }
  iterator begin() const { return data_; }
  iterator end() const { return data_ + size_; }
  char operator[](size_t i) const { return data_[i]; }
  char front() const { return data_[0]; }
  char back() const { return data_[size_ - 1]; }
  void clear() { *this = StringPiece(); }
  void remove_prefix(size_t n) {
    n = n < size_ ? n : size_;
    data_ += n;
    size_ -= n;
  }
  void remove_suffix(size_t n) { size_ -= n < size_ ? n : size_; }

  size_t find(char c, size_t pos = 0) const;
  size_t find(StringPiece s, size_t pos = 0) const;
  size_t rfind(char c, size_t pos = npos) const;
  bool contains(StringPiece s) const { return find(s) != npos; }
  bool starts_with(StringPiece x) const {
    return size_ >= x.size_ && std::memcmp(data_, x.data_, x.size_) == 0;
  }
  bool ends_with(StringPiece x) const {
    return size_ >= x.size_ && std::memcmp(data_ + size_ - x.size_, x.data_, x.size_) == 0;
  }
  StringPiece substr(size_t pos, size_t n = npos) const {
    pos = pos < size_ ? pos : size_;
    return StringPiece(data_ + pos, n < size_ - pos ? n : size_ - pos);
  }
  int compare(StringPiece b) const;

  std::string ToString() const { return std::string(data_ == nullptr ? "" : data_, size_); }
  explicit operator std::string() const { return ToString(); }

 private:
  const char* data_;
  size_t size_;
};

inline bool operator==(StringPiece a, StringPiece b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}
inline bool operator!=(StringPiece a, StringPiece b) { return !(a == b); }
inline bool operator<(StringPiece a, StringPiece b) { return a.compare(b) < 0; }
inline bool operator>(StringPiece a, StringPiece b) { return b < a; }
inline bool operator<=(StringPiece a, StringPiece b) { return !(b < a); }
inline bool operator>=(StringPiece a, StringPiece b) { return !(a < b); }
inline std::ostream& operator<<(std::ostream& out, StringPiece s) {
  return out.write(s.data(), static_cast<std::streamsize>(s.size()));
}

inline int StringPiece::compare(StringPiece b) const {
  const size_t common = size_ < b.size_ ? size_ : b.size_;
  const int order = common == 0 ? 0 : std::memcmp(data_, b.data_, common);
  return order != 0 ? order : (size_ < b.size_ ? -1 : size_ > b.size_ ? 1 : 0);
}
inline size_t StringPiece::find(char c, size_t pos) const {
  for (; pos < size_; ++pos)
    if (data_[pos] == c) return pos;
  return npos;
}
inline size_t StringPiece::find(StringPiece s, size_t pos) const {
  for (; pos + s.size_ <= size_; ++pos)
    if (std::memcmp(data_ + pos, s.data_, s.size_) == 0) return pos;
  return npos;
}
inline size_t StringPiece::rfind(char c, size_t pos) const {
  for (size_t i = pos < size_ ? pos + 1 : size_; i > 0; --i)
    if (data_[i - 1] == c) return i - 1;
  return npos;
}

struct StringPieceHasher {
  size_t operator()(StringPiece s) const { return std::hash<std::string>()(s.ToString()); }
};

}  // namespace tensorflow

#endif
