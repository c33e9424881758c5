#include "rill/ops/string/byte_class.h"

#include <algorithm>
#include <functional>

namespace rill {
namespace {

using Members = std::array<bool, 128>;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_ascii(char c) { return static_cast<unsigned char>(c) < 128; }
bool is_visible(char c) { return c > ' ' && c < 127; }

void add(Members& members, char first, char last) {
  for (int c = first; c <= last; ++c) members[static_cast<std::size_t>(c)] = true;
}

// What "\d", "\s" and "\w" stand for; false for other letters.
bool add_named(Members& members, char name) {
  if (name != 'd' && name != 's' && name != 'w') return false;
  if (name != 's') add(members, '0', '9');
  if (name == 's')
    for (const char c : {'\t', '\n', '\f', '\r', ' '}) add(members, c, c);
  if (name == 'w') {
    add(members, 'a', 'z');
    add(members, 'A', 'Z');
    add(members, '_', '_');
  }
  return true;
}

// Reads what stands between the brackets.
class SetReader {
 public:
  explicit SetReader(std::string_view text) : rest_(text) {}

  std::optional<Members> read() {
    const bool negated = rest_.starts_with('^');
    if (negated) rest_.remove_prefix(1);
    if (rest_.empty()) return std::nullopt;
    while (!rest_.empty())
      if (!read_one()) return std::nullopt;
    if (negated)
      std::transform(members_.begin(), members_.end(), members_.begin(), std::logical_not{});
    return members_;
  }

 private:
  bool read_one() {
    if (rest_.size() >= 2 && rest_[0] == '\\' && add_named(members_, rest_[1])) {
      rest_.remove_prefix(2);
      began_ = true;
      return !rest_.starts_with('-') || rest_.size() == 1;
    }
    const std::optional<char> first = character();
    if (!first) return false;
    if (rest_.size() < 2 || rest_[0] != '-') {
      add(members_, *first, *first);
      return true;
    }
    rest_.remove_prefix(1);
    const std::optional<char> last = character();
    if (!last || *last < *first) return false;
    add(members_, *first, *last);
    return true;
  }

  // A hyphen stands for itself at the ends only; brackets may begin names of sets.
  std::optional<char> character() {
    const bool at_an_end = !began_ || rest_.size() == 1;
    const char c = rest_[0];
    began_ = true;
    if (c == '\\') {
      if (rest_.size() < 2 || !is_visible(rest_[1]) || is_letter(rest_[1]) || is_digit(rest_[1]) ||
          rest_[1] == '_')
        return std::nullopt;
      const char escaped = rest_[1];
      rest_.remove_prefix(2);
      return escaped;
    }
    if (!is_ascii(c) || c == '[' || c == ']' || c == '\0' || (c == '-' && !at_an_end))
      return std::nullopt;
    rest_.remove_prefix(1);
    return c;
  }

  std::string_view rest_;
  bool began_ = false;
  Members members_{};
};

}  // namespace

std::optional<ByteClass> ByteClass::of(std::string_view pattern) {
  ByteClass found;
  if (pattern.size() > 2 && pattern.ends_with('+')) {
    pattern.remove_suffix(1);
    found.repeats_ = true;
  }
  if (pattern.size() == 2 && pattern[0] == '\\' && add_named(found.holds_, pattern[1]))
    return found;
  if (pattern.size() < 3 || pattern.front() != '[' || pattern.back() != ']') return std::nullopt;
  const auto members = SetReader(pattern.substr(1, pattern.size() - 2)).read();
  if (!members) return std::nullopt;
  found.holds_ = *members;
  return found;
}

bool ByteClass::replace(std::string_view text, std::string_view with, bool everywhere,
                        std::string& out) const {
  unsigned char all = 0;
  for (const char c : text) all |= static_cast<unsigned char>(c);
  if (all >= 128) return false;
  const auto matches = [&](std::size_t i) { return holds_[static_cast<std::size_t>(text[i])]; };
  std::string made;
  std::size_t done = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (!matches(i)) {
      ++i;
      continue;
    }
    if (done == 0) made.reserve(text.size() + with.size());
    made.append(text, done, i - done).append(with);
    ++i;
    while (repeats_ && i < text.size() && matches(i)) ++i;
    done = i;
    if (!everywhere) break;
  }
  if (done == 0) {
    out.assign(text);
  } else {
    made.append(text, done);
    out = std::move(made);
  }
  return true;
}

}  // namespace rill
