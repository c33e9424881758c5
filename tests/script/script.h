#pragma once

#include <string>
#include <vector>

#include "rill/runtime/session/session.h"

namespace rill::script {

// One statement and what is expected of it.
struct Statement {
  int line = 0;
  std::string statement;
  std::vector<std::string> expected;  // what stands behind "---- "
};

// Lines that begin with white space continue the statement above; "#" begins a comment line.
std::vector<Statement> read_script(const std::string& path);

// What went otherwise than expected: "line 7: ...", one entry for each step.
std::vector<std::string> run_script(const std::vector<Statement>& steps,
                                    const SessionOptions& options);

}  // namespace rill::script
