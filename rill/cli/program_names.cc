#include "rill/cli/program_names.h"

#include "rill/cli/python.h"

namespace rill::cli {
namespace {

struct ProgramName {
  std::string_view name;
  const char* command = nullptr;  // a sub-command, or
  const char* module = nullptr;   // a module of Python
  bool told = false;              // that must be told which of its programs is meant
};

constexpr const char* kTools = "rill._tool_commands";
constexpr ProgramName kPrograms[] = {
    {.name = "tensorflow_model_server", .command = "serve"},
    {.name = "benchmark_model", .command = "benchmark_model"},
    {.name = "grpc_tensorflow_server", .command = "server"},
    {.name = "tensorboard", .command = "board"},
    {.name = "freeze_graph", .command = "freeze"},
    {.name = "saved_model_cli", .module = "rill._saved_model_cli"},
    {.name = "import_pb_to_tensorboard", .module = kTools, .told = true},
    {.name = "inspect_checkpoint", .module = kTools, .told = true},
    {.name = "optimize_for_inference", .module = kTools, .told = true},
    {.name = "strip_unused", .module = kTools, .told = true},
    {.name = "transform_graph", .module = kTools, .told = true},
};

}  // namespace

std::vector<std::string> words_for(std::string_view program, std::vector<std::string> words) {
  for (const ProgramName& known : kPrograms) {
    if (known.name != program) continue;
    if (known.command != nullptr) words.insert(words.begin(), known.command);
    if (known.told) words.insert(words.begin(), std::string(program));
    if (known.module != nullptr) become_tool(known.module, words);
  }
  return words;
}

}  // namespace rill::cli
