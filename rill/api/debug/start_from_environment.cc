// A program that `rill debug` started: RILL_DEBUG says how it is talked to.
#include <cstdlib>
#include <cstring>

#include "rill/api/debug/debug.h"
#include "rill/base/error.h"

namespace rill::debug {
namespace {

[[gnu::constructor]] void start_from_environment() {
  const char* const ui = std::getenv("RILL_DEBUG");
  if (ui == nullptr || *ui == '\0') return;
  try {
    observe_main_thread(
        std::make_shared<debugger::CommandLineObserver>(debugger::CommandLineOptions{
            .ui_type = std::strcmp(ui, "readline") == 0 ? "readline" : "curses"}));
  } catch (...) {
    std::fprintf(stderr, "rill: RILL_DEBUG: %s\n", current_error().message().c_str());
  }
}

}  // namespace
}  // namespace rill::debug
