#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What a program takes from its command line, by the rules of tf.flags:
//
//   namespace tf = rill;
//   const auto& steps = tf::flags::DEFINE_integer("steps", 100, "how many steps");
//   int main(int argc, char** argv) {
//     return tf::app::run([](auto words) { train(*steps); return 0; }, argc, argv);
//   }
namespace rill::flags {

// One flag; its value is that of the command line once that was read, before it the default.
class FlagBase {
 public:
  FlagBase(std::string name, std::string help) : name(std::move(name)), help(std::move(help)) {}
  virtual ~FlagBase() = default;
  // Takes a word; throws InvalidArgument, "flag --NAME=WORD: WHY".
  virtual void parse(const std::string& word) = 0;
  virtual void unparse() = 0;  // back to the default
  virtual std::string default_text() const = 0;
  virtual bool is_boolean() const { return false; }

  const std::string name, help;
  bool present = false;
};

template <class T>
class Flag : public FlagBase {
 public:
  Flag(std::string name, T otherwise, std::string help)
      : FlagBase(std::move(name), std::move(help)), default_(otherwise), value_(otherwise) {}
  const T& operator*() const { return value_; }
  const T* operator->() const { return &value_; }
  void set(T value) { value_ = std::move(value); }
  void unparse() override {
    value_ = default_;
    present = false;
  }

 protected:
  T default_, value_;
};

template <class T>
struct Bounds {
  std::optional<T> lower = {}, upper = {};
};

// A name can be defined once; a second time throws AlreadyExists. The flag lives as long as the
// program.
Flag<std::string>& DEFINE_string(std::string name, std::string otherwise, std::string help);
Flag<std::int64_t>& DEFINE_integer(std::string name, std::int64_t otherwise, std::string help,
                                   Bounds<std::int64_t> bounds = {});
Flag<double>& DEFINE_float(std::string name, double otherwise, std::string help,
                           Bounds<double> bounds = {});
Flag<bool>& DEFINE_boolean(std::string name, bool otherwise, std::string help);  // --x and --nox
inline Flag<bool>& DEFINE_bool(std::string name, bool otherwise, std::string help) {
  return DEFINE_boolean(std::move(name), otherwise, std::move(help));
}
Flag<std::string>& DEFINE_enum(std::string name, std::string otherwise,
                               std::vector<std::string> values, std::string help);
// Strings between commas; and strings of a flag that is given many times.
Flag<std::vector<std::string>>& DEFINE_list(std::string name, std::vector<std::string> otherwise,
                                            std::string help);
Flag<std::vector<std::string>>& DEFINE_multi_string(std::string name,
                                                    std::vector<std::string> otherwise,
                                                    std::string help);

struct ParseOptions {
  bool known_only = false;  // leave unknown flags among the words instead of refusing them
};

// Takes the flags out of the words after the program's name and returns what is left. --flagfile
// reads a file of flags, --undefok names such as may be unknown, "--" ends the flags. Throws
// InvalidArgument for unknown flags and wrong values, NotFound for a file that cannot be read.
std::vector<std::string> parse(std::span<const std::string> words,
                               const ParseOptions& options = {});
void unparse();                         // all flags back to their defaults
std::string help();                     // a paragraph for each flag
FlagBase* find(std::string_view name);  // nullptr when there is none

}  // namespace rill::flags
