#include "rill/api/app/app.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "rill/base/error.h"

namespace rill::app {
namespace {

bool asks_for_help(const std::vector<std::string>& words) {
  return std::ranges::any_of(words, [](const std::string& word) {
    return word == "--help" || word == "-help" || word == "--helpfull" || word == "--helpshort";
  });
}

}  // namespace

int run(const std::function<int(std::span<const std::string>)>& main, int argc, char** argv) {
  std::vector<std::string> words(argv, argv + argc);
  if (words.empty()) words.emplace_back();
  std::vector<std::string> rest;
  try {
    rest = flags::parse(std::span(words).subspan(1), {.known_only = true});
  } catch (const Error& error) {
    std::fprintf(stderr, "FATAL Flags parsing error: %s\nPass --help to see help on flags.\n",
                 error.message().c_str());
    return 1;
  }
  if (asks_for_help(rest)) {
    std::printf("USAGE: %s [flags]\n\nflags:\n\n%s", words[0].c_str(), flags::help().c_str());
    return 1;
  }
  rest.insert(rest.begin(), words[0]);
  try {
    return main(rest);
  } catch (...) {
    std::fprintf(stderr, "%s\n", current_error().what());
    return 1;
  }
}

}  // namespace rill::app
