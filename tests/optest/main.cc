#include <cstdio>
#include <cstring>
#include <vector>

#include "tests/optest/case_directory.h"
#include "tests/optest/commands.h"
#include "tests/watchdog/watchdog.h"

namespace {

int usage() {
  std::fputs(
      "Usage: rill_optest COMMAND [STEM], in the root of the repository\n\n"
      "  test [STEM]        compare every row with what TensorFlow answered\n"
      "  grad [STEM]        compare gradients with differences, in double\n"
      "  hostile [STEM]     call every op with senseless arguments; nothing but errors may come\n"
      "  perf [STEM]        nanoseconds per call of every row\n"
      "  support [STEM]     which dtypes each op has, and which are tested, as Markdown\n"
      "  export DIR [STEM]  write every row as a GraphDef; with --through-graph as a graph writes\n"
      "                     it that has read it\n",
      stderr);
  return 2;
}

int dispatch(std::vector<std::string> words) {
  const bool through_graph = std::erase(words, "--through-graph") > 0;
  const std::string command = words.empty() ? "" : words[0];
  const std::string first = words.size() > 1 ? words[1] : "";
  if (command == "export" && !first.empty())
    return rill::export_cases(words.size() > 2 ? words[2] : "", first, through_graph);
  if (command == "test" || command == "grad" || command == "hostile") {
    auto& watchdog = *new rill::Watchdog;  // hostile calls leave in children of fork
    watchdog.begin("rill_optest " + command, 10 * rill::time_limit(command));
  }
  const rill::CaseDirectory directory;
  if (command == "test") return rill::test_cases(first);
  if (command == "grad") return rill::check_gradients(first);
  if (command == "hostile") return rill::run_hostile(first);
  if (command == "perf") return rill::measure_cases(first);
  if (command == "support") return rill::print_support(first);
  return usage();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return dispatch(std::vector<std::string>(argv + 1, argv + argc));
  } catch (...) {
    std::fprintf(stderr, "rill_optest: %s\n", rill::current_error().what());
    return 1;
  }
}
