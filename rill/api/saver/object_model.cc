#include "rill/api/saver/object_model.h"

#include <algorithm>

#include "rill/api/core/collections.h"
#include "rill/api/core/scope_changes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/functional.h"
#include "rill/api/gen/io.h"
#include "rill/api/saver/function_names.h"
#include "rill/api/saver/object_saver.h"
#include "rill/api/saver/saved_model_loader.h"
#include "rill/api/saver/variable_keys.h"
#include "rill/base/error.h"
#include "rill/base/text.h"
#include "rill/io/checkpoint_reader.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/protobuf/saved_model.pb.h"

namespace rill::saved_model {
namespace {

using tensorflow::MetaGraphDef;
using tensorflow::SavedObject;
using Kind = ModelObject::Kind;

class Loader {
 public:
  Loader(const std::string& export_dir, const MetaGraphDef& graph)
      : directory_(export_dir), def_(graph), objects_(graph.object_graph_def()) {
    if (objects_.nodes_size() == 0)
      raise(Code::kUnimplemented,
            "loading objects of a SavedModel that has none, as TensorFlow 1 "
            "wrote it, ",
            export_dir, ": tf.saved_model.loader.load reads its graph");
    added_ = add_functions(*default_graph(), graph.graph_def().library(),
                           graph.graph_def().versions().producer(),
                           graph.meta_info_def().stripped_op_list());
    checkpoint_ = variables_path(export_dir);
    if (CheckpointReader::exists(checkpoint_))
      if (const auto stored = train::stored_objects(*CheckpointReader::open(checkpoint_)))
        keys_ = variable_keys(objects_, *stored);
    model.objects.resize(static_cast<std::size_t>(objects_.nodes_size()));
    for (const auto& node : def_.graph_def().node())
      if (node.op() == "Const") constants_[node.name()] = &node;
    for (int i = 0; i < objects_.nodes_size(); ++i) describe(i);
    for (int i = 0; i < objects_.nodes_size(); ++i) make(i);
    for (const auto& [name, function] : objects_.concrete_functions())
      if (is_whole(function)) this->function(name);
    for (int i = 0; i < objects_.nodes_size(); ++i) finish(i);
  }

  ObjectModel model;

 private:
  ModelObject& object(int number) {
    require(number >= 0 && number < objects_.nodes_size(), directory_, " speaks of object ", number,
            ", but has ", objects_.nodes_size());
    return model.objects[static_cast<std::size_t>(number)];
  }

  void describe(int number) {
    const SavedObject& saved = objects_.nodes(number);
    ModelObject& made = object(number);
    for (const auto& child : saved.children()) {
      object(child.node_id());  // is there
      made.children.emplace_back(child.local_name(), child.node_id());
    }
    made.identifier = saved.user_object().identifier();
    switch (saved.kind_case()) {
      case SavedObject::kVariable:
        made.kind = Kind::kVariable;
        break;
      case SavedObject::kAsset:
      case SavedObject::kConstant:
        made.kind = Kind::kTensor;
        break;
      case SavedObject::kResource:
        made.kind = Kind::kResource;
        break;
      case SavedObject::kFunction:
        made.kind = Kind::kFunction;
        made.functions.assign(saved.function().concrete_functions().begin(),
                              saved.function().concrete_functions().end());
        made.spec = saved.function().function_spec();
        break;
      case SavedObject::kBareConcreteFunction:
        made.kind = Kind::kSignature;
        made.functions = {saved.bare_concrete_function().concrete_function_name()};
        break;
      default:
        break;
    }
  }

  void make(int number) {
    const SavedObject& saved = objects_.nodes(number);
    ModelObject& made = object(number);
    if (made.kind == Kind::kVariable) made.variable = variable(number, saved.variable());
    if (saved.kind_case() == SavedObject::kAsset) made.tensor = asset(saved.asset());
    if (saved.kind_case() == SavedObject::kConstant) made.tensor = constant(saved.constant());
  }

  Variable variable(int number, const tensorflow::SavedVariable& saved) {
    const auto key = keys_.find(number);
    require(key != keys_.end(), directory_, ": the checkpoint has no value of the variable ",
            saved.name());
    const DType dtype = dtype_from_proto(saved.dtype());
    const PartialShape shape = shape_from_proto(saved.shape());
    const auto value = [this, dtype, shape, name = key->second]() -> Output {
      const DeviceScope on("/cpu:0");
      const auto text = [](const std::string& t) { return Tensor::of<std::string>({1}, {t}); };
      const Output read = raw::RestoreV2(checkpoint_, text(name), text(""), {dtype}).at(0);
      return raw::EnsureShape(read, shape);
    };
    return Variable(std::function<Output()>(value), {.trainable = saved.trainable(),
                                                     .dtype = dtype,
                                                     .use_resource = true,
                                                     .shape = shape,
                                                     .name = saved.name()});
  }

  Output asset(const tensorflow::SavedAsset& saved) const {
    const int index = saved.asset_file_def_index();
    require(index >= 0 && index < def_.asset_file_def_size(), directory_, " has no asset ", index);
    return as_tensor(asset_path(directory_, def_.asset_file_def(index).filename()), "asset_path");
  }

  Output constant(const tensorflow::SavedConstant& saved) const {
    const auto found = constants_.find(saved.operation());
    require(found != constants_.end() && found->second->attr().contains("value"), directory_,
            " has no constant ", saved.operation());
    return as_tensor(from_proto(found->second->attr().at("value").tensor()));
  }

  // Of some functions, such as gradients of the program that are in others already, TensorFlow
  // does not write what they use.
  bool is_whole(const tensorflow::SavedConcreteFunction& function) {
    return std::ranges::all_of(function.bound_inputs(), [&](int number) {
      object(number);  // is there
      return objects_.nodes(number).kind_case() != SavedObject::KIND_NOT_SET;
    });
  }

  // What a function gets of an object that it uses.
  Output captured(int number) {
    ModelObject& made = object(number);
    if (made.kind == Kind::kVariable) return made.variable.handle();
    if (made.kind == Kind::kResource && !made.tensor.node) made.tensor = created(number);
    require(made.tensor.node != nullptr, directory_, ": a function uses the object ", number,
            ", which is no variable, tensor or table");
    return made.tensor;
  }

  // The function that an object has under a name, if any.
  const ConcreteFunction* method(int number, const std::string& name) {
    for (const auto& [child, index] : object(number).children)
      if (child == name && !object(index).functions.empty())
        return &function(object(index).functions[0]);
    return nullptr;
  }

  Output created(int number) {
    require(being_made_.insert(number).second, directory_, ": the object ", number,
            " is needed to make itself");
    const ConcreteFunction* create = method(number, "_create_resource");
    require(create != nullptr, directory_, ": the object ", number, " cannot be made anew");
    const std::vector<Output> made = (*create)({});
    require(made.size() == 1, directory_, ": the object ", number, " has no handle");
    return made[0];
  }

  const ConcreteFunction& function(const std::string& name) {
    if (const auto known = model.functions.find(name); known != model.functions.end())
      return known->second;
    const auto saved = objects_.concrete_functions().find(name);
    const auto added = added_.find(name);
    require(saved != objects_.concrete_functions().end() && added != added_.end(), directory_,
            " has no function ", name);
    ConcreteFunction made{.name = added->second.name,
                          .captures = {},
                          .results = added->second.results,
                          .input_signature = saved->second.canonicalized_input_signature(),
                          .output_signature = saved->second.output_signature(),
                          .keywords = {}};
    for (const int number : saved->second.bound_inputs()) made.captures.push_back(captured(number));
    return model.functions.emplace(name, std::move(made)).first->second;
  }

  // Tables get what they hold; signatures their names.
  void finish(int number) {
    const SavedObject& saved = objects_.nodes(number);
    ModelObject& made = object(number);
    if (made.kind == Kind::kResource) {
      captured(number);
      if (const ConcreteFunction* fill = method(number, "_initialize")) {
        const std::vector<Output> filled = (*fill)({});
        if (!filled.empty()) add_to_collection(GraphKeys::TABLE_INITIALIZERS, filled[0].node);
      }
    }
    if (made.kind == Kind::kSignature) {
      const auto& words = saved.bare_concrete_function().argument_keywords();
      model.functions.at(made.functions[0]).keywords.assign(words.begin(), words.end());
    }
    if (made.identifier == "signature_map")
      for (const auto& [name, child] : made.children)
        if (!object(child).functions.empty()) model.signatures[name] = object(child).functions[0];
  }

  std::string directory_, checkpoint_;
  const MetaGraphDef& def_;
  const tensorflow::SavedObjectGraph& objects_;
  std::map<std::string, AddedFunction> added_;  // functions, by their names in the model
  std::map<int, std::string> keys_;
  std::map<std::string, const tensorflow::NodeDef*> constants_;
  std::set<int> being_made_;
};

const MetaGraphDef& chosen(const tensorflow::SavedModel& model, const std::string& export_dir,
                           const std::set<std::string>& tags) {
  if (!tags.empty()) return meta_graph_with(model, tags);
  require(model.meta_graphs_size() == 1,
          "Importing a SavedModel with `tf.saved_model.load` requires a `tags=` argument if there "
          "is more than one MetaGraph. There are ",
          model.meta_graphs_size(), " in ", export_dir);
  return model.meta_graphs(0);
}

}  // namespace

std::vector<Output> ConcreteFunction::operator()(const Inputs& inputs,
                                                 std::source_location at) const {
  std::vector<Input> all = inputs;
  for (const Output& capture : captures) all.emplace_back(capture);
  return raw::StatefulPartitionedCall(all, results, FuncName{name}, {}, at);
}

std::map<std::string, Output> ObjectModel::call(const std::string& signature,
                                                const std::map<std::string, Input>& inputs,
                                                std::source_location at) const {
  const auto found = signatures.find(signature);
  require(found != signatures.end(), "The model has no signature ", signature);
  const ConcreteFunction& function = functions.at(found->second);
  std::vector<Input> ordered;
  for (const std::string& name : function.keywords) {
    const auto given = inputs.find(name);
    require(given != inputs.end(), "Signature ", signature, " needs the input ", name);
    ordered.push_back(given->second);
  }
  for (const auto& [name, input] : inputs)
    require(std::ranges::find(function.keywords, name) != function.keywords.end(), "Signature ",
            signature, " has no input ", name);
  const std::vector<Output> made = function(ordered, at);
  std::map<std::string, Output> results;
  // Dicts of results are flattened in the order of their keys.
  std::set<std::string> names;
  for (const auto& [name, spec] : function.output_signature->dict_value().fields())
    names.insert(name);
  require(names.size() == made.size(), "Signature ", signature, " says that it has ", names.size(),
          " outputs, but has ", made.size());
  std::size_t next = 0;
  for (const std::string& name : names) results[name] = made[next++];
  return results;
}

std::vector<Variable> ObjectModel::variables() const {
  std::vector<Variable> all;
  for (const ModelObject& object : objects)
    if (object.variable) all.push_back(object.variable);
  return all;
}

ObjectModel load_v2(const std::string& export_dir, const std::set<std::string>& tags) {
  const tensorflow::SavedModel model = read_saved_model(export_dir);
  const OutsideFlow outside;
  return Loader(export_dir, chosen(model, export_dir, tags)).model;
}

}  // namespace rill::saved_model
