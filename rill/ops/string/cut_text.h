#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <string_view>

#include "rill/ops/string/white_space.h"

namespace rill {

// A piece of a row. Not a std::string_view, which cannot be left uninitialised.
struct Token {
  const char* begin;
  std::size_t size;
};

// The tokens found so far, in room that grows ahead of them.
class Tokens {
 public:
  std::size_t size() const { return size_; }
  std::string_view operator[](std::size_t i) const { return {room_[i].begin, room_[i].size}; }
  void push_back(std::string_view token) {
    *reserve(1) = {token.data(), token.size()};
    ++size_;
  }
  // Room for `count` more, of which commit() then says how many came.
  Token* reserve(std::size_t count) {
    if (capacity_ - size_ < count) grow(2 * capacity_ + count);
    return room_.get() + size_;
  }
  void commit(std::size_t count) { size_ += count; }

 private:
  void grow(std::size_t capacity) {
    auto larger = std::make_unique_for_overwrite<Token[]>(capacity);
    std::copy_n(room_.get(), size_, larger.get());
    room_ = std::move(larger);
    capacity_ = capacity;
  }

  std::unique_ptr<Token[]> room_;
  std::size_t size_ = 0, capacity_ = 0;
};

// Cuts at every byte that `mark` (byte_marks.h) finds.
template <class Mark>
struct MarkCutter {
  void operator()(std::string_view text, Tokens& tokens) const {
    if (text.empty() && !empty_is_token) return;
    const char* const end = text.data() + text.size();
    const char* begin = text.data();
    const auto add = [&](Token*& next, const char* stop) {
      *next = {begin, static_cast<std::size_t>(stop - begin)};
      next += stop != begin || !skip_empty;
      begin = stop + 1;
    };
    for (const char* p = text.data(); p < end; p += 64) {
      std::uint64_t marks = mark(p, std::min<std::size_t>(64, end - p));
      Token* const first = tokens.reserve(64);
      Token* next = first;
      for (; marks != 0; marks &= marks - 1) add(next, p + std::countr_zero(marks));
      tokens.commit(next - first);
    }
    Token* const first = tokens.reserve(1);
    Token* next = first;
    add(next, end);
    tokens.commit(next - first);
  }
  Mark mark;
  bool skip_empty, empty_is_token;
};

inline void cut_bytes(std::string_view text, Tokens& tokens) {
  for (std::size_t i = 0; i < text.size(); ++i) tokens.push_back(text.substr(i, 1));
}

// Cuts at runs of white space. What is left after the last allowed cut is a token even if empty.
inline void cut_at_spaces(std::string_view text, std::int64_t cuts, Tokens& tokens) {
  if (cuts == 0) return tokens.push_back(text);
  const char* p = text.data();
  const char* const end = p + text.size();
  const auto skip_spaces = [&] {
    while (p != end && is_space(*p)) ++p;
  };
  for (skip_spaces(); p != end;) {
    const char* const begin = p;
    while (p != end && !is_space(*p)) ++p;
    tokens.push_back({begin, static_cast<std::size_t>(p - begin)});
    skip_spaces();
    if (--cuts == 0) return tokens.push_back({p, static_cast<std::size_t>(end - p)});
  }
}

inline void cut_at(std::string_view separator, std::string_view text, std::int64_t cuts,
                   Tokens& tokens) {
  for (; cuts > 0; --cuts) {
    const std::size_t at = text.find(separator);
    if (at == std::string_view::npos) break;
    tokens.push_back(text.substr(0, at));
    text.remove_prefix(at + separator.size());
  }
  tokens.push_back(text);
}

}  // namespace rill
