#include <cstdio>

#include "rill/base/text.h"
#include "rill/cli/command.h"
#include "rill/compat/build_flags.h"

namespace rill::cli {
namespace {

// Words of a command line; blanks within one are escaped for the shell, as pkg-config does.
std::string words(const std::vector<std::string>& flags) {
  std::string line;
  for (const std::string& flag : flags) {
    if (!line.empty()) line += ' ';
    for (const char c : flag) {
      if (std::string_view(" \t\"'\\$`()&;|<>*?").find(c) != std::string_view::npos) line += '\\';
      line += c;
    }
  }
  return line;
}

// Programs against Rill's own headers need C++20; a later -std= on the command line wins.
std::string compile_line() { return "-std=c++20 " + words(compile_flags()); }

int config(std::span<const std::string> arguments) {
  Options options(arguments);
  std::vector<std::string> parts;
  if (options.flag("--version")) parts.emplace_back(RILL_VERSION);
  if (options.flag("--cflags")) parts.push_back(compile_line());
  if (options.flag("--libs")) parts.push_back(words(link_flags()));
  if (!options.positional().empty() || parts.empty())
    throw UsageError("config takes --cflags, --libs or --version");
  std::printf("%s\n", join(parts, " ").c_str());
  return 0;
}

}  // namespace

const Command kConfig{"config", "print what a C++ program needs to compile and link",
                      "config [--cflags] [--libs] [--version]\n\n"
                      "  g++ program.cc $(rill config --cflags --libs) -o program",
                      config};

}  // namespace rill::cli
