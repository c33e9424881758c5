#pragma once

#include <map>
#include <string>
#include <vector>

#include "rill/graph/graph.h"
#include "tensorflow/core/framework/function.pb.h"
#include "tensorflow/core/framework/op_def.pb.h"

namespace rill::saved_model {

struct AddedFunction {
  std::string name = {};
  std::vector<DType> results = {};
};

// Adds the functions of a model to the library of a graph; what they are there, by their names in
// the model. Where one of these names is taken, all get new ones. `producer` and its ops are those
// of the model.
std::map<std::string, AddedFunction> add_functions(Graph& graph,
                                                   tensorflow::FunctionDefLibrary library,
                                                   int producer,
                                                   const tensorflow::OpList& producer_ops);

}  // namespace rill::saved_model
