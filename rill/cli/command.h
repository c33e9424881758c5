#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rill::cli {

// One sub-command: `rill NAME ARGUMENT...`.
struct Command {
  const char* name;
  const char* summary;  // one line, for `rill help`
  const char* usage;    // what follows "Usage: rill ", and more lines about its options
  int (*run)(std::span<const std::string> arguments);  // returns the exit status
  std::string (*flags)() = nullptr;                    // further lines of help, if any
};

extern const Command kApi, kBench, kBenchmarkModel, kBoard, kCat, kCheck, kCheckpoints, kCluster,
    kConfig, kConvert, kCp, kDebug, kFreeze, kLaunch, kLs, kOps, kOptimize, kProfile, kRun, kServe,
    kServer, kShow, kTop, kUpgrade, kVersion;

// A command line that makes no sense: printed with the usage, exit status 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Takes options ("--name", "--name value", "--name=value") out of a command line.
class Options {
 public:
  explicit Options(std::span<const std::string> arguments)
      : rest_(arguments.begin(), arguments.end()) {}

  bool flag(std::string_view name);                         // true if it was given
  std::optional<std::string> value(std::string_view name);  // throws UsageError without a value
  // The same of an option that may stand alone, which means "true".
  std::optional<std::string> value_or_true(std::string_view name);
  // What is left: arguments that are no options. Throws UsageError for an option nobody took.
  std::vector<std::string> positional() const;

 private:
  std::vector<std::string> rest_;
};

// "a,b" taken apart; empty items and no text give nothing.
std::vector<std::string> comma_list(const std::optional<std::string>& text);

// Text in an ANSI style ("1" is bold) where standard output shows it.
std::string styled(std::string_view text, std::string_view style);

}  // namespace rill::cli
