#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rill/graph/registry.h"

namespace rill::opgen {

// A parameter of a function that is one op: an input or an attribute of that, or `name`.
struct PlainParameter {
  std::string name;
  std::optional<std::string> default_text;  // as Python writes it
  const Arg* input = nullptr;
  const AttrSpec* attr = nullptr;
};

// One row of rill/api/plain_ops with what the other tables say about it.
struct PlainFunction {
  std::string path;                  // below tf: "math.acos"
  std::vector<std::string> aliases;  // other paths
  std::string signature;             // "(x, name=None)"
  std::string node_name;             // default; empty: the op's
  std::string renames;               // "axis=dim other=one"
  const Op* op = nullptr;
  std::vector<PlainParameter> parameters;  // without `name`
};

// The functions of each family. Reads the tables of the repository that is the working directory;
// throws InvalidArgument when the op of a row is not in `registry`, or a row fits neither its op
// nor its signature.
std::map<std::string, std::vector<PlainFunction>> plain_functions(const Registry& registry);

}  // namespace rill::opgen
