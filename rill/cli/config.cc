#include <cstdio>

#include "rill/base/text.h"
#include "rill/cli/command.h"
#include "rill/cli/places.h"

namespace rill::cli {
namespace {

namespace fs = std::filesystem;

std::string include_flags() {
  const auto include = [](const fs::path& folder) { return str_cat(" -I", folder.string()); };
  const fs::path build = library_path().parent_path().parent_path();
  const auto source = checkout();
  if (!source) return include(build / "include");
  return include(*source) + include(*source / "include") +
         include(build / "rill" / "proto" / "gen");
}

std::string compile_flags() { return "-std=c++20" + include_flags(); }

std::string link_flags() {
  const std::string folder = library_path().parent_path().string();
  return str_cat("-L", folder, " -lrill -Wl,-rpath,", folder, " -lprotobuf -pthread");
}

int config(std::span<const std::string> arguments) {
  Options options(arguments);
  std::vector<std::string> parts;
  if (options.flag("--version")) parts.emplace_back(RILL_VERSION);
  if (options.flag("--cflags")) parts.push_back(compile_flags());
  if (options.flag("--libs")) parts.push_back(link_flags());
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
