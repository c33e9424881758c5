#include "rill/api/app/flags.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "rill/base/error.h"
#include "rill/base/text.h"

namespace rill::flags {
namespace {

using Table = std::map<std::string, std::unique_ptr<FlagBase>, std::less<>>;

Table& table() {
  static auto& flags = *new Table;  // flags are defined before main and used until its end
  return flags;
}

template <class F>
F& add(std::unique_ptr<F> flag) {
  F& added = *flag;
  const auto [at, is_new] = table().try_emplace(flag->name, std::move(flag));
  if (!is_new) raise(Code::kAlreadyExists, "The flag '", at->first, "' is defined twice.");
  return added;
}

[[noreturn]] void illegal(const FlagBase& flag, const std::string& word, const std::string& why) {
  raise(Code::kInvalidArgument, "flag --", flag.name, "=", word, ": ", why);
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// --- kinds ---------------------------------------------------------------------------------------

struct StringFlag : Flag<std::string> {
  using Flag::Flag;
  void parse(const std::string& word) override { value_ = word; }
  std::string default_text() const override { return default_; }
};

struct BooleanFlag : Flag<bool> {
  using Flag::Flag;
  bool is_boolean() const override { return true; }
  std::string default_text() const override { return default_ ? "true" : "false"; }
  void parse(const std::string& word) override {
    const std::string text = lower(word);
    const bool yes = text == "true" || text == "t" || text == "1";
    if (!yes && text != "false" && text != "f" && text != "0")
      illegal(*this, word, "Non-boolean argument to boolean flag");
    value_ = yes;
  }
};

struct EnumFlag : Flag<std::string> {
  EnumFlag(std::string name, std::string otherwise, std::vector<std::string> values,
           std::string help)
      : Flag(std::move(name), std::move(otherwise), std::move(help)), allowed(std::move(values)) {}
  std::string default_text() const override { return default_; }
  void parse(const std::string& word) override {
    if (std::ranges::find(allowed, word) == allowed.end())
      illegal(*this, word, str_cat("value should be one of <", join(allowed, "|"), ">"));
    value_ = word;
  }
  std::vector<std::string> allowed;
};

bool read_number(const std::string& word, std::int64_t* value) {
  std::string_view digits = word;
  int base = 10;
  if (word.size() > 2 && word[0] == '0' && (lower(word)[1] == 'x' || lower(word)[1] == 'o')) {
    base = lower(word)[1] == 'x' ? 16 : 8;
    digits.remove_prefix(2);
  } else if (digits.starts_with('+')) {
    digits.remove_prefix(1);
  }
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), *value, base);
  return error == std::errc() && end == digits.data() + digits.size();
}

bool read_number(const std::string& word, double* value) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), *value);
  return error == std::errc() && end == word.data() + word.size();
}

template <class T>
struct NumberFlag : Flag<T> {
  NumberFlag(std::string name, T otherwise, std::string help, Bounds<T> b)
      : Flag<T>(std::move(name), otherwise, std::move(help)), bounds(b) {}
  std::string default_text() const override { return str_cat(this->default_); }
  static constexpr const char* kKind = std::is_integral_v<T> ? "an integer" : "a number";
  void parse(const std::string& word) override {
    T value{};
    if (!read_number(std::string(strip(word)), &value))
      illegal(*this, word, str_cat("is not ", kKind));
    if (bounds.lower && value < *bounds.lower)
      illegal(*this, word, str_cat(value, " is not ", kKind, " >= ", *bounds.lower));
    if (bounds.upper && value > *bounds.upper)
      illegal(*this, word, str_cat(value, " is not ", kKind, " <= ", *bounds.upper));
    this->value_ = value;
  }
  Bounds<T> bounds;
};

struct ListFlag : Flag<std::vector<std::string>> {
  using Flag::Flag;
  std::string default_text() const override { return join(default_, ","); }
  // Commas inside double quotes belong to the item.
  void parse(const std::string& word) override {
    value_.clear();
    if (word.empty()) return;
    std::string item;
    bool quoted = false;
    for (const char c : word) {
      if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        value_.emplace_back(strip(item));
        item.clear();
      } else {
        item += c;
      }
    }
    if (quoted) illegal(*this, word, "a quotation mark is not closed");
    value_.emplace_back(strip(item));
  }
};

struct MultiFlag : Flag<std::vector<std::string>> {
  using Flag::Flag;
  std::string default_text() const override { return join(default_, ","); }
  void parse(const std::string& word) override {
    if (!present) value_.clear();
    value_.push_back(word);
  }
};

}  // namespace

Flag<std::string>& DEFINE_string(std::string name, std::string otherwise, std::string help) {
  return add(std::make_unique<StringFlag>(std::move(name), std::move(otherwise), std::move(help)));
}

Flag<std::int64_t>& DEFINE_integer(std::string name, std::int64_t otherwise, std::string help,
                                   Bounds<std::int64_t> bounds) {
  return add(std::make_unique<NumberFlag<std::int64_t>>(std::move(name), otherwise, std::move(help),
                                                        bounds));
}

Flag<double>& DEFINE_float(std::string name, double otherwise, std::string help,
                           Bounds<double> bounds) {
  return add(
      std::make_unique<NumberFlag<double>>(std::move(name), otherwise, std::move(help), bounds));
}

Flag<bool>& DEFINE_boolean(std::string name, bool otherwise, std::string help) {
  return add(std::make_unique<BooleanFlag>(std::move(name), otherwise, std::move(help)));
}

Flag<std::string>& DEFINE_enum(std::string name, std::string otherwise,
                               std::vector<std::string> values, std::string help) {
  return add(std::make_unique<EnumFlag>(std::move(name), std::move(otherwise), std::move(values),
                                        std::move(help)));
}

Flag<std::vector<std::string>>& DEFINE_list(std::string name, std::vector<std::string> otherwise,
                                            std::string help) {
  return add(std::make_unique<ListFlag>(std::move(name), std::move(otherwise), std::move(help)));
}

Flag<std::vector<std::string>>& DEFINE_multi_string(std::string name,
                                                    std::vector<std::string> otherwise,
                                                    std::string help) {
  return add(std::make_unique<MultiFlag>(std::move(name), std::move(otherwise), std::move(help)));
}

FlagBase* find(std::string_view name) {
  const auto found = table().find(name);
  return found == table().end() ? nullptr : found->second.get();
}

void unparse() {
  for (const auto& [name, flag] : table()) flag->unparse();
}

std::string help() {
  std::string text;
  for (const auto& [name, flag] : table())
    text += str_cat("  --", flag->is_boolean() ? "[no]" : "", name, ": ", flag->help,
                    "\n    (default: '", flag->default_text(), "')\n");
  return text;
}

}  // namespace rill::flags
