#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "rill/base/error.h"
#include "tests/optest/compare.h"

namespace rill {

// What TensorFlow answered to one row.
struct Golden {
  std::string fingerprint;  // of the row that was asked
  Code code = Code::kOk;
  std::string message;  // when it is an error
  std::vector<std::variant<Tensor, Sample>> outputs;
};

// tests/golden/ops/<stem>.pb.gz by row name; rows that fail have a second entry "<name>@fed" for
// the graph whose inputs are fed. The file is a GraphDef whose nodes are records: "Const" (an
// output), "Sample" (a large output), "Error", and "Case" in front of a row's outputs. Empty when
// there is no such file; throws DataLoss when it cannot be read.
std::map<std::string, Golden> load_goldens(const std::string& stem);

}  // namespace rill
