#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/cli/command.h"
#include "rill/cli/program_names.h"

namespace rill::cli {
namespace {

const Command* const kCommands[] = {
    &kRun,     &kLaunch, &kServe,  &kServer,   &kCluster, &kBoard, &kCheck,   &kCheckpoints,
    &kUpgrade, &kShow,   &kFreeze, &kOptimize, &kConvert, &kBench, &kProfile, &kBenchmarkModel,
    &kTop,     &kDebug,  &kLs,     &kCp,       &kCat,     &kApi,   &kOps,     &kConfig,
    &kVersion};

const Command* find(std::string_view name) {
  if (name == "--version" || name == "-V") name = "version";
  for (const Command* command : kCommands)
    if (name == command->name) return command;
  return nullptr;
}

void print_help(std::FILE* out) {
  std::fputs("Usage: rill COMMAND [ARGUMENT...]\n\n", out);
  for (const Command* c : kCommands) std::fprintf(out, "  %-15s %s\n", c->name, c->summary);
  std::fprintf(out, "  %-15s %s\n", "help", "say this, or more about one command");
}

void print_usage(const Command& command) {
  std::printf("Usage: rill %s\n", command.usage);
  if (command.flags != nullptr) std::printf("\n%s", command.flags().c_str());
}

int complain(std::string_view what, int status) {
  std::fprintf(stderr, "rill: %.*s\n", static_cast<int>(what.size()), what.data());
  return status;
}

int help(std::span<const std::string> arguments) {
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h") {
    print_help(stdout);
    return 0;
  }
  const Command* command = find(arguments[0]);
  if (command == nullptr) return complain(str_cat("no such command: ", arguments[0]), 2);
  print_usage(*command);
  return 0;
}

// Behind `rill run` only the first word is ours; the others are the program's.
bool asks_for_help(const Command& command, std::span<const std::string> arguments) {
  const auto is_help = [](std::string_view word) { return word == "--help" || word == "-h"; };
  if (&command == &kRun || &command == &kDebug || &command == &kLaunch)
    arguments = arguments.first(std::min<std::size_t>(arguments.size(), 1));
  return std::ranges::any_of(arguments, is_help);
}

int run(const Command& command, std::span<const std::string> arguments) {
  if (asks_for_help(command, arguments)) {
    print_usage(command);
    return 0;
  }
  try {
    return command.run(arguments);
  } catch (const UsageError& e) {
    complain(e.what(), 2);
    std::fprintf(stderr, "Usage: rill %s\n", command.usage);
    return 2;
  } catch (...) {
    return complain(current_error().what(), 1);
  }
}

int dispatch(const std::vector<std::string>& words) {
  if (words.empty()) {
    print_help(stderr);
    return 2;
  }
  const auto arguments = std::span(words).subspan(1);
  if (words[0] == "help" || words[0] == "--help" || words[0] == "-h") return help(arguments);
  const Command* command = find(words[0]);
  if (command != nullptr) return run(*command, arguments);
  complain(str_cat("no such command: ", words[0]), 2);
  print_help(stderr);
  return 2;
}

}  // namespace
}  // namespace rill::cli

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  try {
    if (argc > 0) words = rill::cli::words_for(rill::base_name(argv[0]), std::move(words));
  } catch (const rill::Error& e) {
    return rill::cli::complain(e.what(), 1);
  }
  return rill::cli::dispatch(words);
}
