#include "rill/board/data/markdown.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "rill/base/text.h"
#include "rill/board/data/json_out.h"
#include "rill/board/data/markdown_inline.h"

namespace rill::board {
namespace {

constexpr std::size_t kMostMarkdown = 1 << 20;  // longer texts are shown as they are
constexpr int kDeepestBlock = 8;

using Lines = std::vector<std::string_view>;

std::size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

// What follows "- ", "* ", "+ " or "1. "; nullopt where there is no such mark.
struct Item {
  bool is_numbered;
  std::string_view text;
};
std::optional<Item> item_of(std::string_view line) {
  const std::size_t indent = indent_of(line);
  if (indent > 3) return std::nullopt;
  line.remove_prefix(indent);
  if (line.size() > 1 && std::string_view("-*+").find(line[0]) != std::string_view::npos &&
      line[1] == ' ')
    return Item{false, strip(line.substr(2))};
  std::size_t digits = 0;
  while (digits < line.size() && line[digits] >= '0' && line[digits] <= '9') ++digits;
  if (digits > 0 && line.substr(digits).starts_with(". "))
    return Item{true, strip(line.substr(digits + 2))};
  return std::nullopt;
}

bool is_rule(std::string_view line) {
  std::string marks;
  for (const char c : line)
    if (c != ' ') marks += c;
  return marks.size() >= 3 && std::string_view("-*_").find(marks[0]) != std::string_view::npos &&
         marks.find_first_not_of(marks[0]) == std::string::npos;
}

std::vector<std::string_view> cells_of(std::string_view line) {
  line = strip(line);
  if (line.starts_with('|')) line.remove_prefix(1);
  if (line.ends_with('|')) line.remove_suffix(1);
  std::vector<std::string_view> cells;
  for (const std::string_view cell : split(line, '|')) cells.push_back(strip(cell));
  return cells;
}

bool is_table_rule(std::string_view line) {
  return line.find('|') != std::string_view::npos && line.find('-') != std::string_view::npos &&
         line.find_first_not_of(" |:-") == std::string_view::npos;
}

class BlockWriter {
 public:
  BlockWriter(Lines lines, int depth) : lines_(std::move(lines)), depth_(depth) {}

  std::string html() {
    while (at_ < lines_.size()) {
      if (strip(line()).empty())
        ++at_;
      else if (!(heading() || fence() || indented_code() || rule() || quote() || list() || table()))
        paragraph();
    }
    std::string all = join(blocks_, "\n");
    return all;
  }

 private:
  std::string_view line() const { return lines_[at_]; }
  void add(std::string block) { blocks_.push_back(std::move(block)); }

  bool heading() {
    const std::size_t level = std::min(line().find_first_not_of('#'), line().size());
    if (level < 1 || level > 6) return false;
    std::string_view text = strip(line().substr(level));
    while (text.ends_with('#')) text.remove_suffix(1);
    add(str_cat("<h", level, ">", inline_markdown(strip(text)), "</h", level, ">"));
    ++at_;
    return true;
  }

  bool fence() {
    if (!line().starts_with("```") && !line().starts_with("~~~")) return false;
    const std::string_view mark = line().substr(0, 3);
    std::size_t end = at_ + 1;
    while (end < lines_.size() && !lines_[end].starts_with(mark)) ++end;
    if (end == lines_.size()) return false;
    std::string code;
    for (std::size_t i = at_ + 1; i < end; ++i) code += str_cat(html_escaped(lines_[i]), "\n");
    add(str_cat("<pre><code>", code, "</code></pre>"));
    at_ = end + 1;
    return true;
  }

  bool indented_code() {
    if (indent_of(line()) < 4) return false;
    std::string code;
    for (; at_ < lines_.size() && (indent_of(line()) >= 4 || strip(line()).empty()); ++at_)
      code += str_cat(html_escaped(line().substr(std::min<std::size_t>(4, line().size()))), "\n");
    while (code.ends_with("\n\n")) code.pop_back();
    add(str_cat("<pre><code>", code, "</code></pre>"));
    return true;
  }

  bool rule() {
    if (!is_rule(line())) return false;
    add("<hr>");
    ++at_;
    return true;
  }

  bool quote() {
    if (!line().starts_with('>') || depth_ >= kDeepestBlock) return false;
    Lines inner;
    for (; at_ < lines_.size() && line().starts_with('>'); ++at_)
      inner.push_back(line().substr(line().starts_with("> ") ? 2 : 1));
    add(str_cat("<blockquote>\n", BlockWriter(inner, depth_ + 1).html(), "\n</blockquote>"));
    return true;
  }

  bool list() {
    const auto first = item_of(line());
    if (!first || depth_ >= kDeepestBlock) return false;
    const std::string_view name = first->is_numbered ? "ol" : "ul";
    std::string items;
    while (at_ < lines_.size()) {
      const auto item = item_of(line());
      if (!item || item->is_numbered != first->is_numbered) break;
      ++at_;
      std::string text(item->text);
      Lines inner;
      for (; at_ < lines_.size() && !strip(line()).empty() && !item_of(line()); ++at_)
        if (indent_of(line()) >= 4)
          inner.push_back(line().substr(4));
        else
          text += str_cat("\n", strip(line()));
      items += str_cat("<li>", inline_markdown(text),
                       inner.empty() ? "" : BlockWriter(inner, depth_ + 1).html(), "</li>\n");
    }
    add(str_cat("<", name, ">\n", items, "</", name, ">"));
    return true;
  }

  bool table() {
    if (at_ + 1 >= lines_.size() || line().find('|') == std::string_view::npos ||
        !is_table_rule(lines_[at_ + 1]))
      return false;
    const auto heads = cells_of(line());
    std::string html = "<table>\n<thead>\n<tr>\n";
    for (const auto head : heads) html += str_cat("<th>", inline_markdown(head), "</th>\n");
    html += "</tr>\n</thead>\n<tbody>\n";
    for (at_ += 2; at_ < lines_.size() && line().find('|') != std::string_view::npos; ++at_) {
      auto cells = cells_of(line());
      cells.resize(heads.size());
      html += "<tr>\n";
      for (const auto cell : cells) html += str_cat("<td>", inline_markdown(cell), "</td>\n");
      html += "</tr>\n";
    }
    add(html + "</tbody>\n</table>");
    return true;
  }

  void paragraph() {
    std::string text;
    for (bool is_first = true; at_ < lines_.size() && !strip(line()).empty(); ++at_) {
      // A list or a heading needs no empty line before it to be one.
      if (!is_first && (line().starts_with('#') || line().starts_with("```"))) break;
      if (!is_first) text += "\n";
      text += line();
      is_first = false;
    }
    add(str_cat("<p>", inline_markdown(strip(text)), "</p>"));
  }

  const Lines lines_;
  const int depth_;
  std::size_t at_ = 0;
  std::vector<std::string> blocks_;
};

}  // namespace

std::string markdown_to_html(std::string_view text) {
  const std::string valid = valid_utf8(text);
  if (valid.size() > kMostMarkdown) return str_cat("<pre>", html_escaped(valid), "</pre>");
  std::string without_returns;
  for (const char c : valid)
    if (c != '\r') without_returns += c;
  return BlockWriter(split(without_returns, '\n'), 0).html();
}

}  // namespace rill::board
