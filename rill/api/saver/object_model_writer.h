#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/function/concrete_function.h"
#include "rill/api/lookup/static_tables.h"
#include "rill/api/variables/variable.h"
#include "tensorflow/core/protobuf/saved_object_graph.pb.h"

namespace rill::saved_model {

// A function for one kind of arguments, and how its program passes these and takes the results.
struct FormToSave {
  std::shared_ptr<const rill::ConcreteFunction> function = {};
  tensorflow::StructuredValue input_signature = {}, output_signature = {};
};

// An object of a program: a variable, a table, a function (one with `forms`), or what has others as
// its parts.
struct ObjectToSave {
  std::vector<std::pair<std::string, int>> children = {};  // by number
  std::string identifier = "_generic_user_object", metadata = {};
  Variable variable = {};
  std::shared_ptr<const lookup::StaticHashTable> table = {};
  bool is_function = false;
  std::vector<FormToSave> forms = {};
  tensorflow::FunctionSpec spec = {};  // of functions
};

// What the model can be asked for: a function with names for its arguments and results, in order.
struct SignatureToSave {
  std::shared_ptr<const rill::ConcreteFunction> function = {};
  std::vector<std::string> inputs = {}, outputs = {};
};

struct ModelToSave {
  std::vector<ObjectToSave> objects = {};  // the first is the model itself
  std::map<std::string, SignatureToSave> signatures = {};
  // All variables by their keys in the checkpoint, which the caller writes beside the model.
  std::vector<std::pair<std::string, Variable>> variables = {};
};

// Writes objects of eager execution as a SavedModel, but for the values of the variables:
// functions, signatures, tables and the files that they are read from. Throws FailedPrecondition
// where the directory is not empty, InvalidArgument where a function uses a variable or table that
// is none of the objects.
void write_object_model(const ModelToSave& model, const std::string& export_dir);

}  // namespace rill::saved_model
