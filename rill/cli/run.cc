#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "rill/base/error.h"
#include "rill/cli/command.h"
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

int run(std::span<const std::string> arguments) {
  if (arguments.empty()) throw UsageError("run needs a script");
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

}  // namespace

const Command kRun{
    "run", "run a Python program with `import tensorflow` meaning Rill",
    "run SCRIPT.py [ARGUMENT...]\n\n"
    "Also: rill run -m MODULE, rill run -c CODE. RILL_PYTHON names the Python to use.",
    run};

}  // namespace rill::cli
