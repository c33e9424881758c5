#include "rill/board/data/markdown_inline.h"

#include "rill/base/text.h"
#include "rill/board/data/markdown.h"

namespace rill::board {
namespace {

constexpr int kDeepestInline = 8;  // emphasis within emphasis

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         static_cast<unsigned char>(c) >= 0x80;
}

// No scheme that could run something.
bool is_harmless_url(std::string_view url) {
  const std::size_t colon = url.find_first_of(":/?#");
  if (colon == std::string_view::npos || url[colon] != ':') return !url.empty();
  const std::string scheme = lower(url.substr(0, colon));
  return scheme == "http" || scheme == "https" || scheme == "mailto";
}

class InlineWriter {
 public:
  InlineWriter(std::string_view text, int depth) : text_(text), depth_(depth) {}

  std::string html() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\\' && at_ + 1 < text_.size() &&
          std::string_view("\\`*_{}[]()#+-.!|").find(text_[at_ + 1]) != std::string_view::npos) {
        out_ += html_escaped(text_.substr(at_ + 1, 1));
        at_ += 2;
      } else if (!(c == '`' && code()) && !((c == '*' || c == '_') && emphasis()) &&
                 !((c == '[' || c == '!') && link()) && !(c == '\n' && line_break())) {
        out_ += html_escaped(text_.substr(at_, 1));
        ++at_;
      }
    }
    return std::move(out_);
  }

 private:
  std::string inner(std::string_view text) const { return inline_markdown(text, depth_ + 1); }

  bool code() {
    std::size_t ticks = 1;
    while (at_ + ticks < text_.size() && text_[at_ + ticks] == '`') ++ticks;
    const std::size_t begin = at_ + ticks;
    const std::size_t end = text_.find(text_.substr(at_, ticks), begin);
    if (end == std::string_view::npos) {
      out_.append(ticks, '`');
      at_ += ticks;
      return true;
    }
    out_ += str_cat("<code>", html_escaped(strip(text_.substr(begin, end - begin))), "</code>");
    at_ = end + ticks;
    return true;
  }

  bool emphasis() {
    const char mark = text_[at_];
    const bool is_strong = at_ + 1 < text_.size() && text_[at_ + 1] == mark;
    const std::size_t width = is_strong ? 2 : 1;
    const std::size_t begin = at_ + width;
    if (depth_ >= kDeepestInline || begin >= text_.size() || text_[begin] == ' ' ||
        text_[begin] == '\n')
      return false;
    if (mark == '_' && at_ > 0 && is_word(text_[at_ - 1])) return false;
    const std::string_view closing = text_.substr(at_, width);
    std::size_t end = text_.find(closing, begin + 1);
    while (end != std::string_view::npos &&
           (text_[end - 1] == ' ' ||
            (mark == '_' && end + width < text_.size() && is_word(text_[end + width]))))
      end = text_.find(closing, end + 1);
    if (end == std::string_view::npos) return false;
    const std::string_view name = is_strong ? "strong" : "em";
    out_ += str_cat("<", name, ">", inner(text_.substr(begin, end - begin)), "</", name, ">");
    at_ = end + width;
    return true;
  }

  bool link() {
    const bool is_picture = text_[at_] == '!';
    const std::size_t open = at_ + (is_picture ? 1 : 0);
    if (depth_ >= kDeepestInline || open >= text_.size() || text_[open] != '[') return false;
    const std::size_t close = text_.find(']', open);
    if (close == std::string_view::npos || close + 1 >= text_.size() || text_[close + 1] != '(')
      return false;
    const std::size_t end = text_.find(')', close);
    if (end == std::string_view::npos) return false;
    const std::string_view words = text_.substr(open + 1, close - open - 1);
    std::string_view url = strip(text_.substr(close + 2, end - close - 2));
    if (const std::size_t blank = url.find(' '); blank != std::string_view::npos)
      url = url.substr(0, blank);  // a title follows
    const std::string address = is_harmless_url(url) ? str_cat(" ", is_picture ? "src" : "href",
                                                               "=\"", html_escaped(url), "\"")
                                                     : "";
    out_ += is_picture ? str_cat("<img alt=\"", html_escaped(words), "\"", address, ">")
                       : str_cat("<a", address, ">", inner(words), "</a>");
    at_ = end + 1;
    return true;
  }

  bool line_break() {
    if (!out_.ends_with("  ")) return false;
    out_.erase(out_.find_last_not_of(' ') + 1);
    out_ += "<br>\n";
    ++at_;
    return true;
  }

  const std::string_view text_;
  const int depth_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

std::string inline_markdown(std::string_view text, int depth) {
  return InlineWriter(text, depth).html();
}

std::string html_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

}  // namespace rill::board
