#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace rill::debugger {

// A command line that does not fit its command.
class SyntaxError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What a command line said. Options by their long name without dashes.
class Arguments {
 public:
  bool has(const std::string& name) const { return values_.contains(name); }
  const std::string& text(const std::string& name) const;  // "" where it was not given
  long long number(const std::string& name, long long otherwise) const;

 private:
  friend class ArgumentParser;
  std::map<std::string, std::string> values_;
};

// The options and arguments of a command, as Python's argparse reads and explains them: long names
// may be shortened, values may follow "=" or stick to a short name.
class ArgumentParser {
 public:
  enum class Kind { flag, number, text };

  explicit ArgumentParser(std::string description) : description_(std::move(description)) {}

  ArgumentParser& argument(std::string name, std::string help, bool is_optional = false);
  // `dashed` is "-n" or "", `name` "number".
  ArgumentParser& option(std::string dashed, std::string name, Kind kind, std::string help);

  // Throws SyntaxError.
  Arguments parse(const std::vector<std::string>& words) const;
  std::vector<std::string> help() const;
  std::vector<std::string> option_names() const;  // "-n", "--number", ...

 private:
  struct Option {
    std::string dashed, name, help;
    Kind kind;
    std::string heading() const;
  };
  struct Positional {
    std::string name, help;
    bool is_optional;
  };
  // The option that a word names, with the value that sticks to it.
  const Option* find(const std::string& word, std::string* value, bool* has_value) const;
  void take(const Option& option, const std::string& value, Arguments* arguments) const;

  std::string description_;
  std::vector<Option> options_;
  std::vector<Positional> positionals_;
};

// Text in lines of at most `width` letters, broken between words and inside of long ones.
std::vector<std::string> wrapped(const std::string& text, std::size_t width);

}  // namespace rill::debugger
