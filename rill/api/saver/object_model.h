#pragma once

#include <map>
#include <set>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/variables/variable.h"
#include "rill/proto/boxed_message.h"
#include "rill/proto/messages_fwd.h"

namespace rill::saved_model {

// A function of a model with the variables and tables that it uses.
struct ConcreteFunction {
  std::string name = {};  // in the library of the graph
  std::vector<Output> captures = {};
  std::vector<DType> results = {};
  BoxedMessage<tensorflow::StructuredValue> input_signature = {}, output_signature = {};
  std::vector<std::string> keywords = {};  // of signatures: the names of the inputs, in their order

  // A call of it in the default graph, with its tensors in order.
  std::vector<Output> operator()(const Inputs& inputs,
                                 std::source_location at = std::source_location::current()) const;
};

// An object of the program that saved the model.
struct ModelObject {
  enum class Kind { kObject, kVariable, kFunction, kSignature, kTensor, kResource };
  Kind kind = Kind::kObject;
  std::vector<std::pair<std::string, int>> children = {};  // by number
  std::string identifier = {};  // of plain objects: what they were, "trackable_list_wrapper"
  Variable variable = {};       // kVariable
  Output tensor = {};           // constants, paths of assets, handles of resources
  std::vector<std::string> functions = {};           // kFunction: one for each kind of arguments
  BoxedMessage<tensorflow::FunctionSpec> spec = {};  // kFunction: how Python called it
};

// A model of TensorFlow 2 in the default graph, with its objects: what tf.saved_model.load gives.
//
//   const auto model = tf::saved_model::load_v2("/tmp/model");
//   const auto outputs = model.call("serving_default", {{"x", x}});
//   session.run(tf::global_variables_initializer());  // with the values that were saved
//
// Variables are initialised with what was saved; so are tables, by tables_initializer().
struct ObjectModel {
  std::vector<ModelObject> objects = {};  // the first is the model itself
  std::map<std::string, ConcreteFunction> functions = {};
  std::map<std::string, std::string> signatures = {};  // their functions

  // Throws InvalidArgument naming an input or signature that is missing or unknown.
  std::map<std::string, Output> call(
      const std::string& signature, const std::map<std::string, Input>& inputs,
      std::source_location at = std::source_location::current()) const;
  std::vector<Variable> variables() const;
};

// No tags: those of the only graph that there is. Throws NotFound where there is no such model,
// Unimplemented for models without objects (TensorFlow 1's; load() is for these), InvalidArgument
// when what is there does not fit together.
ObjectModel load_v2(const std::string& export_dir, const std::set<std::string>& tags = {});

}  // namespace rill::saved_model
