#include "rill/cli/python.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "rill/base/error.h"
#include "rill/cli/places.h"

namespace rill::cli {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

std::string interpreter() {
  if (std::string chosen = environment("RILL_PYTHON"); !chosen.empty()) return chosen;
  if (const auto source = checkout())
    if (fs::exists(*source / ".venv/bin/python")) return (*source / ".venv/bin/python").string();
  return "python3";
}

// In a checkout the package lies in python/ and the `tensorflow` of Rill in python/compat. A wheel
// has the latter inside the package, beside the library; Python finds the package by itself.
std::string python_path() {
  std::string path;
  if (const auto source = checkout()) {
    const fs::path python = *source / "python";
    path = str_cat(python.string(), ":", (python / "compat").string());
  } else if (const fs::path compat = library_path().parent_path() / "compat"; fs::exists(compat)) {
    path = compat.string();
  }
  const std::string inherited = environment("PYTHONPATH");
  if (path.empty() || inherited.empty()) return path + inherited;
  return str_cat(path, ":", inherited);
}

}  // namespace

void become_python(std::span<const std::string> arguments) {
  std::string program = interpreter();
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  if (const std::string path = python_path(); !path.empty())
    setenv("PYTHONPATH", path.c_str(), /*overwrite=*/1);
  execvp(program.c_str(), argv.data());
  raise(Code::kNotFound, "cannot start ", program, ": ", std::strerror(errno),
        " (RILL_PYTHON names another Python)");
}

void become_tool(const std::string& module, std::span<const std::string> arguments) {
  std::vector<std::string> words{"-m", module};
  words.insert(words.end(), arguments.begin(), arguments.end());
  become_python(words);
}

}  // namespace rill::cli
