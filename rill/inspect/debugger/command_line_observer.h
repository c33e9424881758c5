#pragma once

#include <memory>
#include <set>
#include <string>

#include "rill/inspect/debugger/analyzer.h"
#include "rill/inspect/debugger/publishing_observers.h"
#include "rill/inspect/debugger/terminal.h"

namespace rill::debugger {

struct CommandLineOptions {
  std::string ui_type = "readline";  // or "curses"
  std::string dump_root = {};        // "": a directory of its own, which goes with each run
  std::string config_file = {};      // "": ~/.tfdbg_config
  LineIo io = standard_io();
  // Makes `eval` for what was dumped; none: there is no eval.
  std::function<Evaluate(std::shared_ptr<const DumpDir>)> evaluate = {};
  // Ends the program where the user asks for it; does not return.
  std::function<void()> exit = {};
};

// Stops before and after the runs of a program and lets a person look around: tfdbg.
class CommandLineObserver final : public RunObserver {
 public:
  explicit CommandLineObserver(CommandLineOptions options);

  // Throws InvalidArgument for an empty name.
  void add_tensor_filter(const std::string& name, TensorFilter filter);

  std::vector<Tensor> run(const ObservedRun& run) override;

 private:
  // What the user wants of the next runs.
  struct Plan {
    bool asks = true;     // shows the screen before the run
    bool watches = true;  // this run is debugged
    bool profiles = false;
    long long skipped = 0;      // runs that go by first
    std::string filter = {};    // goes on until a tensor passes it
    std::string excluded = {};  // nodes whose tensors do not count
    WatchOptions watch = {};
  };

  void ask(const ObservedRun& run, const RunDescription& description);
  std::vector<Tensor> run_watched(const ObservedRun& run, const RunDescription& description);
  std::vector<Tensor> run_profiled(const ObservedRun& run, const RunDescription& description);
  void show_dumps(const ObservedRun& run, const RunDescription& description,
                  const std::string& root, std::vector<tensorflow::GraphDef> graphs,
                  const Error* error);
  void talk(Shell& shell, const std::string& title, const RichText& first);
  void add_run_commands(Shell& shell, const RunDescription& description);
  RichText take_run(const Arguments& given);
  RichText run_text(const RunDescription& description) const;

  CommandLineOptions options_;
  std::shared_ptr<ShellConfig> config_;
  std::map<std::string, TensorFilter> filters_;
  Plan plan_;
  Shell* shell_ = nullptr;  // the one that is talking
  bool leaves_ = false;     // the user has asked to end the program
  int count_ = 0;
  std::set<std::string> seen_;  // what was run before
};

// Lets a person look at what was dumped before.
void look_at_dumps(Analyzer& analyzer, Terminal& terminal,
                   const std::shared_ptr<ShellConfig>& config);

}  // namespace rill::debugger
