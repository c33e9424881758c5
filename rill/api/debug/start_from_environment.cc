// A program that `rill debug` started: RILL_DEBUG says how it is talked to, RILL_DEBUG_RECORD how
// many runs are recorded instead of stopping at each.
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

#include "rill/api/debug/debug.h"
#include "rill/base/error.h"
#include "rill/base/text.h"

namespace rill::debug {
namespace {

// Records the runs, and lets the person look back when the program ends. That is arranged after the
// first run: what was made before is still there then.
class LooksBackAtExit final : public RunObserver {
 public:
  explicit LooksBackAtExit(RecordOptions options) : recorder_(std::move(options)) {}
  std::vector<Tensor> run(const ObservedRun& run) override {
    struct Arranged {
      ~Arranged() {
        static std::once_flag once;
        std::call_once(once, [] { std::atexit(look_back); });
      }
    };
    the_one = this;
    const Arranged arranged;
    return recorder_.run(run);
  }

 private:
  // On a thread of its own: what the main thread kept for itself has gone by then.
  static void look_back() {
    std::thread([] { the_one->recorder_.look_back(); }).join();
  }

  static inline LooksBackAtExit* the_one = nullptr;
  debugger::RunRecorder recorder_;
};

[[gnu::constructor]] void start_from_environment() {
  const char* const ui = std::getenv("RILL_DEBUG");
  if (ui == nullptr || *ui == '\0') return;
  const char* const recorded = std::getenv("RILL_DEBUG_RECORD");
  long long runs = 0;
  try {
    debugger::CommandLineOptions options{.ui_type = std::strcmp(ui, "readline") == 0 ? "readline"
                                                                                     : "curses"};
    if (recorded == nullptr || !parse_int(recorded, &runs) || runs <= 0)
      return observe_main_thread(std::make_shared<debugger::CommandLineObserver>(options));
    static const auto& kept = *new auto(std::make_shared<LooksBackAtExit>(
        RecordOptions{.runs = static_cast<std::size_t>(runs), .command_line = options}));
    observe_main_thread(kept);
  } catch (...) {
    std::fprintf(stderr, "rill: RILL_DEBUG: %s\n", current_error().message().c_str());
  }
}

}  // namespace
}  // namespace rill::debug
