#include "rill/inspect/debugger/command_line.h"

#include <cmath>

#include "rill/base/error.h"

namespace rill::debugger {
namespace {

bool is_quote(char c) { return c == '"' || c == '\''; }

// "<100" and the like are values of options.
bool is_interval(const std::vector<std::string>& words, std::size_t i, const std::string& path) {
  double number = 0;
  std::string_view rest = strip(path);
  if (rest.starts_with("=")) rest.remove_prefix(1);
  std::size_t digits = 0;
  while (digits < rest.size() &&
         (std::isdigit(static_cast<unsigned char>(rest[digits])) != 0 || rest[digits] == '.'))
    ++digits;
  const std::string_view unit = rest.substr(digits);
  const bool is_number = parse_float(rest.substr(0, digits), &number) &&
                         (unit.empty() || unit == "s" || unit == "us" || unit == "ms");
  return i > 0 && words[i - 1].starts_with("-") && is_number;
}

}  // namespace

CommandLine::CommandLine(const std::string& line) {
  std::string word;
  bool is_word = false;
  char quote = 0;
  int brackets = 0;
  for (const char c : line) {
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
        if (brackets > 0) word += c;
      } else {
        word += c;
      }
    } else if (is_quote(c)) {
      quote = c;
      is_word = true;
      if (brackets > 0) word += c;
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0 && brackets == 0) {
      if (is_word) words.push_back(word);
      word.clear();
      is_word = false;
    } else {
      if (c == '[') ++brackets;
      if (c == ']' && brackets > 0) --brackets;
      word += c;
      is_word = true;
    }
  }
  if (is_word) words.push_back(word);
  if (words.empty()) return;
  const std::size_t last = words.size() - 1;
  const auto redirect = [&](std::size_t keep, const std::string& path) {
    require(!path.empty(), "Redirect file path is empty");
    output_path = path;
    words.resize(keep);
  };
  const auto at = words[last].rfind('>');
  if (last > 0 && words[last - 1] == ">") {
    redirect(last - 1, words[last]);
    return;
  }
  if (last > 0 && words[last - 1].size() > 1 && words[last - 1].ends_with(">")) {
    words[last - 1].pop_back();
    redirect(last, words[last]);
    return;
  }
  if (at == std::string::npos || line.ends_with("\"") || line.ends_with("'")) return;
  const std::string path = words[last].substr(at + 1);
  if (is_interval(words, last, path) || path.find_first_of(" `()") != std::string::npos) return;
  if (at > 0) {
    const std::string before = words[last].substr(0, at);
    if (before.starts_with("-")) return;
    words[last] = before;
    redirect(last + 1, path);
    return;
  }
  if (last > 0) redirect(last, path);
}

TensorAndSlice::TensorAndSlice(const std::string& text) {
  const auto open = text.find('[');
  const bool has_slice = open != std::string::npos && text.ends_with("]");
  tensor = has_slice ? text.substr(0, open) : text;
  slicing = has_slice ? text.substr(open) : "";
}

namespace {

double bound(std::string_view text, const std::string& whole) {
  const std::string_view word = strip(text);
  double number = 0;
  if (word == "inf" || word == "np.inf") return INFINITY;
  if (word == "-inf" || word == "-np.inf") return -INFINITY;
  require(parse_float(word, &number), "Incorrect format for ranges: ", whole,
          "; two numbers are expected, as in [-1, 1], or pairs of such");
  return number;
}

}  // namespace

std::vector<NumberRange> parse_ranges(const std::string& text) {
  std::string plain;
  for (const char c : text) plain += c == '[' || c == ']' || c == '(' || c == ')' ? ' ' : c;
  std::vector<std::string_view> numbers;
  for (const std::string_view piece : split(plain, ','))
    if (!strip(piece).empty()) numbers.push_back(piece);
  require(!numbers.empty() && numbers.size() % 2 == 0, "Incorrect format for ranges: ", text,
          "; two numbers are expected, as in [-1, 1], or pairs of such");
  std::vector<NumberRange> ranges;
  for (std::size_t i = 0; i < numbers.size(); i += 2)
    ranges.push_back({bound(numbers[i], text), bound(numbers[i + 1], text)});
  return ranges;
}

}  // namespace rill::debugger
