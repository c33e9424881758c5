#include "rill/base/json.h"

#include <cstdint>
#include <unordered_set>

#include "rill/base/error.h"
#include "rill/base/text.h"
#include "rill/base/utf8.h"

namespace rill {
namespace {

constexpr int kMaxNesting = 100;

class JsonParser {
 public:
  explicit JsonParser(std::string_view text) : text_(text) {}

  Json whole() {
    Json value = this->value(0);
    skip_blanks();
    check(at_ == text_.size(), "nothing more");
    return value;
  }

 private:
  void check(bool ok, const char* wanted) const {
    require(ok, "JSON: expected ", wanted, " at byte ", at_);
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (peek() != c || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }
  void skip_blanks() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string::npos)
      ++at_;
  }
  bool take_word(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  Json value(int depth) {
    check(depth < kMaxNesting, "fewer levels");
    skip_blanks();
    Json result;
    if (peek() == '{') return object(depth);
    if (peek() == '[') return array(depth);
    if (peek() == '"') {
      result.kind = Json::Kind::string;
      result.text = string();
    } else if (take_word("true") || take_word("false")) {
      result.kind = Json::Kind::boolean;
      result.boolean = text_[at_ - 2] == 'u';
    } else if (!take_word("null")) {
      result.kind = Json::Kind::number;
      result.text = number();
    }
    return result;
  }

  Json object(int depth) {
    Json result{.kind = Json::Kind::object};
    std::unordered_set<std::string> names;
    take('{');
    skip_blanks();
    if (take('}')) return result;
    do {
      skip_blanks();
      std::string name = string();
      check(names.insert(name).second, "a member of another name");
      skip_blanks();
      check(take(':'), "':'");
      result.members.emplace_back(std::move(name), value(depth + 1));
      skip_blanks();
    } while (take(','));
    check(take('}'), "',' or '}'");
    return result;
  }

  Json array(int depth) {
    Json result{.kind = Json::Kind::array};
    take('[');
    skip_blanks();
    if (take(']')) return result;
    do {
      result.items.push_back(value(depth + 1));
      skip_blanks();
    } while (take(','));
    check(take(']'), "',' or ']'");
    return result;
  }

  std::string number() {
    const std::size_t end = std::min(text_.find_first_not_of("+-.0123456789eE", at_), text_.size());
    const std::string digits(text_.substr(at_, end - at_));
    double ignored = 0;
    check(parse_float(digits, &ignored), "a value");
    at_ = end;
    return digits;
  }

  std::string string() {
    check(take('"'), "'\"'");
    std::string result;
    while (!take('"')) {
      check(at_ < text_.size(), "the end of a string");
      check(static_cast<unsigned char>(peek()) >= 0x20, "no control character");
      if (take('\\'))
        escape(result);
      else
        result += text_[at_++];
    }
    return result;
  }

  void escape(std::string& result) {
    constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
    const std::size_t letter = kLetters.find(peek());
    if (at_ < text_.size() && letter != std::string_view::npos) {
      result += kMeanings[letter];
      ++at_;
      return;
    }
    check(take('u'), "an escape");
    std::uint32_t code = four_digits();
    if (code >= 0xd800 && code < 0xdc00 && take_word("\\u")) {
      const std::uint32_t low = four_digits();
      check(low >= 0xdc00 && low < 0xe000, "the second half of a character");
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    check(code < 0xd800 || code > 0xdfff, "a whole character");
    append_utf8(code, &result);
  }

  std::uint32_t four_digits() {
    std::uint32_t code = 0;
    for (int i = 0; i < 4; ++i) {
      const auto digit = std::string_view("0123456789abcdef").find(lower(text_.substr(at_, 1)));
      check(at_ < text_.size() && digit != std::string_view::npos, "a hexadecimal digit");
      code = code * 16 + static_cast<std::uint32_t>(digit);
      ++at_;
    }
    return code;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

const Json* Json::find(std::string_view name) const {
  for (const auto& [key, value] : members)
    if (key == name) return &value;
  return nullptr;
}

bool Json::is_count(long long* value) const {
  return kind == Kind::number && parse_int(text, value) && *value >= 0;
}

Json parse_json(std::string_view text) { return JsonParser(text).whole(); }

std::string json_quoted(std::string_view text) {
  constexpr std::string_view kLetters = "\"\\bfnrt", kMeanings = "\"\\\b\f\n\r\t";
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string result = "\"";
  for (const char c : text) {
    const std::size_t escape = kMeanings.find(c);
    const auto code = static_cast<unsigned char>(c);
    if (escape != std::string_view::npos)
      result += {'\\', kLetters[escape]};
    else if (code < 0x20)
      result += {'\\', 'u', '0', '0', kDigits[code >> 4], kDigits[code & 15]};
    else
      result += c;
  }
  return result + '"';
}

std::string json_list(std::span<const std::string> texts) {
  std::vector<std::string> items;
  for (const std::string& text : texts) items.push_back(json_quoted(text));
  return str_cat("[", join(items, ", "), "]");
}

}  // namespace rill
