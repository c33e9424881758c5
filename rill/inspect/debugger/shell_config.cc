#include "rill/inspect/debugger/shell_config.h"

#include <re2/re2.h>

#include <cstdlib>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/text.h"

namespace rill::debugger {
namespace {

std::string usual_path() {
  const char* const home = std::getenv("HOME");
  return join_path(home == nullptr ? "." : home, ".tfdbg_config");
}

}  // namespace

ShellConfig::ShellConfig(std::string path) : path_(path.empty() ? usual_path() : std::move(path)) {
  load();
}

void ShellConfig::set(const std::string& property, const std::string& value) {
  const std::string word = lower(value);
  long long number = 0;
  if (property == "graph_recursion_depth") {
    require(parse_int(value, &number) && number > 0,
            "graph_recursion_depth is a number above 0, not '", value, "'");
    graph_recursion_depth = static_cast<int>(number);
  } else if (property == "mouse_mode") {
    require(word == "true" || word == "false" || word == "1" || word == "0" || word == "yes" ||
                word == "no",
            "mouse_mode is True or False, not '", value, "'");
    mouse_mode = word == "true" || word == "1" || word == "yes";
  } else {
    raise(Code::kInvalidArgument, property, " is not a valid property name.");
  }
  save();
}

std::vector<std::string> ShellConfig::lines() const {
  return {str_cat("graph_recursion_depth: ", graph_recursion_depth),
          str_cat("mouse_mode: ", mouse_mode ? "True" : "False")};
}

void ShellConfig::load() {
  std::string text, word;
  try {
    if (!file_exists(path_)) return;
    text = read_file(path_);
  } catch (const Error&) {
    return;
  }
  re2::RE2::PartialMatch(text, "\"graph_recursion_depth\":\\s*(\\d{1,6})", &graph_recursion_depth);
  if (re2::RE2::PartialMatch(text, "\"mouse_mode\":\\s*(true|false)", &word))
    mouse_mode = word == "true";
}

void ShellConfig::save() const {
  try {
    write_file(path_, str_cat("{\"graph_recursion_depth\": ", graph_recursion_depth,
                              ", \"mouse_mode\": ", mouse_mode ? "true" : "false", "}"));
  } catch (const Error&) {
  }
}

}  // namespace rill::debugger
