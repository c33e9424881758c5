#include <unistd.h>

#include <cstdlib>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/text.h"
#include "rill/cli/command.h"
#include "rill/cli/python.h"
#include "rill/inspect/debugger/command_line_observer.h"

namespace rill::cli {
namespace {

int look_at(const std::string& directory, const std::string& ui_type, bool validates) {
  const auto config = std::make_shared<debugger::ShellConfig>();
  debugger::Analyzer analyzer(std::make_shared<debugger::DumpDir>(
                                  directory, std::vector<tensorflow::GraphDef>(), validates),
                              {}, config);
  const auto terminal =
      debugger::make_terminal(ui_type, debugger::standard_io(), config->mouse_mode);
  debugger::look_at_dumps(analyzer, *terminal, config);
  return 0;
}

[[noreturn]] void become(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  execvp(pointers[0], pointers.data());
  raise(Code::kNotFound, "cannot run ", words[0]);
}

int debug(std::span<const std::string> arguments) {
  std::string ui_type = "curses";
  std::string recorded, dumps;
  bool validates = true;
  for (; !arguments.empty(); arguments = arguments.subspan(1)) {
    const std::string& word = arguments[0];
    if (word.starts_with("--ui_type="))
      ui_type = word.substr(10);
    else if (word == "--record")
      recorded = "100";
    else if (word.starts_with("--record="))
      recorded = word.substr(9);
    else if (word.starts_with("--dump_dir="))
      dumps = word.substr(11);
    else if (word.starts_with("--validate_graph="))
      validates = word != "--validate_graph=false" && word != "--validate_graph=0";
    else
      break;
  }
  long long runs = 0;
  if (!recorded.empty() && (!parse_int(recorded, &runs) || runs <= 0))
    throw UsageError("--record needs a number of runs above 0");
  if (ui_type != "curses" && ui_type != "readline")
    throw UsageError("--ui_type is curses or readline");
  if (!dumps.empty()) return look_at(dumps, ui_type, validates);
  if (arguments.empty()) throw UsageError("debug needs a program, or a directory of dumps");
  if (is_directory(arguments[0])) return look_at(arguments[0], ui_type, validates);
  setenv("RILL_DEBUG", ui_type.c_str(), 1);
  if (!recorded.empty()) setenv("RILL_DEBUG_RECORD", recorded.c_str(), 1);
  if (arguments[0].ends_with(".py") || arguments[0].starts_with("-")) become_python(arguments);
  become({arguments.begin(), arguments.end()});
}

}  // namespace

const Command kDebug{
    "debug", "run a program under tfdbg, or look at what one dumped",
    "debug [--ui_type=curses|readline] [--record[=RUNS]] PROGRAM [ARGUMENT...]\n"
    "       rill debug [--ui_type=curses|readline] [--validate_graph=false] DUMPS\n\n"
    "PROGRAM is SCRIPT.py, -m MODULE, or a program in C++ that uses Rill; it stops before and "
    "after\n"
    "each of its main thread's Session.run(). With --record it runs through; when it ends, every\n"
    "tensor of its latest 100 runs (or so many) can be looked at, back and forth.\n"
    "DUMPS is a directory that a run was dumped to; it must fit the graphs in it, but for\n"
    "--validate_graph=false.",
    debug};

}  // namespace rill::cli
