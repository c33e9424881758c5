#include <fstream>
#include <optional>
#include <set>

#include "rill/api/app/flags.h"
#include "rill/base/error.h"
#include "rill/base/text.h"

namespace rill::flags {
namespace {

struct Word {
  std::string name;
  std::optional<std::string> value;
};

Word split_word(const std::string& text) {
  const std::string_view body = std::string_view(text).substr(text.find_first_not_of('-'));
  const auto equals = body.find('=');
  if (equals == body.npos) return {std::string(body), {}};
  return {std::string(body.substr(0, equals)), std::string(body.substr(equals + 1))};
}

bool looks_like_flag(const std::string& text) {
  return text.starts_with('-') && text.find_first_not_of('-') != text.npos;
}

void read_file(const std::string& path, std::set<std::string> seen,
               std::vector<std::string>* words) {
  require(seen.insert(path).second, "Hit circular flagfile dependency: ", path);
  std::ifstream file(path);
  if (!file) raise(Code::kNotFound, "Unable to open flagfile: ", path);
  for (std::string line; std::getline(file, line);) {
    line = std::string(strip(line));
    if (line.empty() || line.starts_with('#') || line.starts_with("//")) continue;
    const Word word = looks_like_flag(line) ? split_word(line) : Word{};
    if (word.name == "flagfile" && word.value)
      read_file(*word.value, seen, words);
    else
      words->push_back(line);
  }
}

std::vector<std::string> with_files(std::span<const std::string> given) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i] == "--") {
      words.insert(words.end(), given.begin() + static_cast<std::ptrdiff_t>(i), given.end());
      break;
    }
    const Word word = looks_like_flag(given[i]) ? split_word(given[i]) : Word{};
    if (word.name != "flagfile") {
      words.push_back(given[i]);
      continue;
    }
    require(word.value || i + 1 < given.size(), "--flagfile with no argument");
    read_file(word.value ? *word.value : given[++i], {}, &words);
  }
  return words;
}

struct Found {
  FlagBase* flag = nullptr;
  bool negated = false;
};

Found look_up(const std::string& name) {
  if (FlagBase* flag = find(name)) return {flag};
  if (name.starts_with("no"))
    if (FlagBase* flag = find(std::string_view(name).substr(2)); flag && flag->is_boolean())
      return {flag, true};
  return {};
}

void take(const Found& found, std::string value) {
  found.flag->parse(value);
  found.flag->present = true;
}

}  // namespace

std::vector<std::string> parse(std::span<const std::string> given, const ParseOptions& options) {
  const std::vector<std::string> words = with_files(given);
  std::vector<std::string> rest, unknown;
  std::set<std::string> allowed;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--") {
      rest.insert(rest.end(), words.begin() + static_cast<std::ptrdiff_t>(i + 1), words.end());
      break;
    }
    if (!looks_like_flag(words[i])) {
      rest.push_back(words[i]);
      continue;
    }
    const Word word = split_word(words[i]);
    const auto next = [&] {
      require(i + 1 < words.size(), "Missing value for flag ", words[i]);
      return words[++i];
    };
    if (word.name == "undefok") {
      const std::string names = word.value ? *word.value : next();
      for (const std::string_view name : split(names, ',')) {
        allowed.emplace(strip(name));
        allowed.insert(str_cat("no", strip(name)));
      }
      continue;
    }
    const Found found = look_up(word.name);
    if (found.flag == nullptr) {
      (options.known_only ? rest : unknown).push_back(options.known_only ? words[i] : word.name);
    } else if (found.negated) {
      if (word.value)
        raise(Code::kInvalidArgument, "flag --", word.name, "=", *word.value,
              ": a negated flag takes no value");
      take(found, "false");
    } else if (word.value) {
      take(found, *word.value);
    } else {
      take(found, found.flag->is_boolean() ? "true" : next());
    }
  }
  for (const std::string& name : unknown)
    require(allowed.contains(name), "Unknown command line flag '", name, "'");
  return rest;
}

}  // namespace rill::flags
