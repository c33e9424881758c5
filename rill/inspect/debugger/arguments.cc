#include "rill/inspect/debugger/arguments.h"

#include <algorithm>

#include "rill/base/text.h"

namespace rill::debugger {
namespace {

constexpr std::size_t kWidth = 78, kHelpColumn = 24;

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

bool is_option(const std::string& word) {
  double number = 0;
  return word.size() > 1 && word[0] == '-' && !parse_float(word, &number);
}

// One entry of the list of options: what it is called, and beside or below that what it does.
void add_entry(const std::string& heading, const std::string& help, std::size_t column,
               std::vector<std::string>* lines) {
  std::string line = "  " + heading;
  const std::vector<std::string> text = wrapped(help, kWidth - column);
  std::size_t k = 0;
  if (line.size() + 2 <= column && !text.empty()) {
    line.resize(column, ' ');
    line += text[k++];
  }
  lines->push_back(line);
  for (; k < text.size(); ++k) lines->push_back(std::string(column, ' ') + text[k]);
}

}  // namespace

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  for (const std::string_view piece : split(text, ' ')) {
    std::string word(piece);
    if (word.empty()) continue;
    if (!line.empty() && line.size() + 1 + word.size() > width) {
      lines.push_back(std::move(line));
      line.clear();
    }
    for (; word.size() > width; word.erase(0, width)) lines.push_back(word.substr(0, width));
    line += (line.empty() ? "" : " ") + word;
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

const std::string& Arguments::text(const std::string& name) const {
  static const std::string none;
  const auto it = values_.find(name);
  return it == values_.end() ? none : it->second;
}

long long Arguments::number(const std::string& name, long long otherwise) const {
  long long value = otherwise;
  if (has(name)) parse_int(text(name), &value);
  return value;
}

std::string ArgumentParser::Option::heading() const {
  const std::string meta = kind == Kind::flag ? "" : " " + upper(name);
  std::string text = dashed.empty() ? "" : dashed + meta + ", ";
  return text + "--" + name + meta;
}

ArgumentParser& ArgumentParser::argument(std::string name, std::string help, bool is_optional) {
  positionals_.push_back({std::move(name), std::move(help), is_optional});
  return *this;
}

ArgumentParser& ArgumentParser::option(std::string dashed, std::string name, Kind kind,
                                       std::string help) {
  options_.push_back({std::move(dashed), std::move(name), std::move(help), kind});
  return *this;
}

const ArgumentParser::Option* ArgumentParser::find(const std::string& word, std::string* value,
                                                   bool* has_value) const {
  const auto equals = word.find('=');
  const std::string name = word.substr(0, equals);
  *has_value = equals != std::string::npos;
  if (*has_value) *value = word.substr(equals + 1);
  const Option* found = nullptr;
  for (const Option& option : options_) {
    if (option.dashed == name || "--" + option.name == name) return &option;
    if (!name.starts_with("--") || name.size() < 3 || !("--" + option.name).starts_with(name))
      continue;
    if (found != nullptr) throw SyntaxError("ambiguous option: " + name);
    found = &option;
  }
  if (found != nullptr || word.starts_with("--")) return found;
  for (const Option& option : options_)  // a value that sticks to its option
    if (option.dashed.size() == 2 && option.kind != Kind::flag && word.starts_with(option.dashed)) {
      *value = word.substr(2);
      *has_value = true;
      return &option;
    }
  return nullptr;
}

void ArgumentParser::take(const Option& option, const std::string& value,
                          Arguments* arguments) const {
  long long number = 0;
  if (option.kind == Kind::number && !parse_int(value, &number))
    throw SyntaxError(str_cat("argument ", option.heading(), ": invalid int value: '", value, "'"));
  arguments->values_[option.name] = value;
}

Arguments ArgumentParser::parse(const std::vector<std::string>& words) const {
  Arguments arguments;
  std::size_t next = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!is_option(words[i])) {
      if (next >= positionals_.size()) throw SyntaxError("unrecognized arguments: " + words[i]);
      arguments.values_[positionals_[next++].name] = words[i];
      continue;
    }
    std::string value;
    bool has_value = false;
    const Option* option = find(words[i], &value, &has_value);
    if (option == nullptr) {  // several flags in one word
      for (std::size_t k = 1; k < words[i].size(); ++k) {
        const Option* flag = find(std::string("-") + words[i][k], &value, &has_value);
        if (flag == nullptr || flag->kind != Kind::flag)
          throw SyntaxError("unrecognized arguments: " + words[i]);
        arguments.values_[flag->name] = "";
      }
      continue;
    }
    if (option->kind == Kind::flag) {
      if (has_value) throw SyntaxError("ignored explicit argument " + value);
      arguments.values_[option->name] = "";
      continue;
    }
    if (!has_value) {
      if (i + 1 == words.size() || is_option(words[i + 1]))
        throw SyntaxError(str_cat("argument ", option->heading(), ": expected one argument"));
      value = words[++i];
    }
    take(*option, value, &arguments);
  }
  if (next < positionals_.size() && !positionals_[next].is_optional)
    throw SyntaxError("the following arguments are required: " + positionals_[next].name);
  return arguments;
}

std::vector<std::string> ArgumentParser::help() const {
  const Option own{"-h", "help", "show this help message and exit", Kind::flag};
  std::size_t longest = own.heading().size();
  for (const Option& option : options_) longest = std::max(longest, option.heading().size());
  for (const Positional& one : positionals_) longest = std::max(longest, one.name.size());
  const std::size_t column = std::min(longest + 4, kHelpColumn);
  std::vector<std::string> lines = wrapped(description_, kWidth);
  lines.push_back("");
  if (!positionals_.empty()) {
    lines.push_back("positional arguments:");
    for (const Positional& one : positionals_) add_entry(one.name, one.help, column, &lines);
    lines.push_back("");
  }
  lines.push_back("options:");
  add_entry(own.heading(), own.help, column, &lines);
  for (const Option& option : options_) add_entry(option.heading(), option.help, column, &lines);
  lines.push_back("");
  return lines;
}

std::vector<std::string> ArgumentParser::option_names() const {
  std::vector<std::string> names;
  for (const Option& option : options_) {
    if (!option.dashed.empty()) names.push_back(option.dashed);
    names.push_back("--" + option.name);
  }
  return names;
}

}  // namespace rill::debugger
