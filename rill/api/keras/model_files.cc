#include "rill/api/keras/model_files.h"

#include "rill/api/core/basic_ops.h"
#include "rill/api/io/gfile.h"
#include "rill/api/keras/saved_metadata.h"
#include "rill/api/keras/trackable_layers.h"
#include "rill/api/keras/training_config.h"
#include "rill/api/keras/weights_file.h"
#include "rill/api/saver/object_saver.h"
#include "rill/api/saver/saved_model_builder.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/log.h"
#include "tensorflow/core/protobuf/saved_model.pb.h"

namespace rill::keras {
namespace {

train::TrackableRef object_of(Model& model) {
  return train::TrackableInput(static_cast<rill::layers::Layer&>(model)).object();
}

NamedTensors values_of(Model& model, const std::vector<Variable>& variables) {
  NamedTensors values;
  for (const Variable& variable : variables)
    values.emplace_back(variable.name(), model.session().run(variable));
  return values;
}

void warn(const char* text) { log(LogLevel::kWarning, text); }

// What was stored goes into the optimizer's variables, one after the other.
void restore_optimizer(Model& model, const NamedTensors& stored) {
  model.make_train_function();
  const std::vector<Variable> variables = model.optimizer()->weights();
  bool fits = stored.size() == variables.size();
  for (std::size_t i = 0; fits && i < stored.size(); ++i)
    fits = variables[i].shape().is_compatible(stored[i].second.shape());
  if (!fits)
    return warn(
        "Error in loading the saved optimizer state. As a result, your model is starting "
        "with a freshly initialized optimizer.");
  for (std::size_t i = 0; i < stored.size(); ++i) {
    const Output fed = placeholder(variables[i].dtype(), variables[i].shape());
    Node& assignment = variables[i].assign_op(fed);
    model.session().run(assignment, {{fed, stored[i].second}});
  }
}

ModelRef load_saved_model(const std::string& path, const LoadModelOptions& options) {
  const std::string file = path + "/assets/saved_model.json";
  const std::optional<std::string> text =
      file_exists(file) ? std::optional(read_file(file)) : saved_model_metadata(path);
  require(text.has_value(), "Cannot load ", path,
          " as a model: Keras has written nothing about it there. saved_model::load reads its "
          "graph.");
  const Json stored = parse_json(*text);
  const Json* const inner = stored.find("model_config");
  const Json& described = inner != nullptr && !is_null(*inner) ? *inner : stored;
  if (described.find("config") == nullptr || described.find("class_name") == nullptr)
    raise(Code::kUnimplemented,
          "load_model of a subclass of Model: make the model, then "
          "load_weights(\"",
          path, "/variables/variables\")");
  const ModelRef model = model_from_config(described);
  const Json* const training = stored.find("training_config");
  if (options.compile && training != nullptr && !is_null(*training)) compile_as(*model, *training);
  model->load_weights(path + "/variables/variables");
  return model;
}

}  // namespace

void save_model(Model& model, const std::string& filepath, const SaveModelOptions& options) {
  const bool saved_model = options.save_format == "tf" || options.save_format == "tensorflow";
  require(saved_model || options.save_format == "h5" || options.save_format == "hdf5" ||
              options.save_format == "keras",
          "Unknown format \"", options.save_format, "\". Was expecting one of {\"tf\", \"h5\"}.");
  if (!options.overwrite && file_exists(filepath))
    raise(Code::kAlreadyExists, filepath, " already exists");
  if (saved_model) {
    const bool is_model = file_exists(filepath + "/saved_model.pb");
    if (is_model) gfile::DeleteRecursively(filepath);
    return experimental::export_saved_model(model, filepath);
  }
  ModelFile file;
  file.model_config = to_text(model_config(model));
  model.get_weights();  // whatever has no value yet gets its first one
  if (options.include_optimizer && model.compile_options() != nullptr) {
    file.training_config = to_text(training_config(model));
    file.optimizer_weights = values_of(model, model.optimizer()->weights());
  }
  for (const rill::layers::Layer* layer : model.layers())
    file.layers.push_back({layer->name(), values_of(model, layer->weights())});
  write_model_file(filepath, file);
}

ModelRef load_model(const std::string& filepath, const LoadModelOptions& options) {
  if (is_directory(filepath)) return load_saved_model(filepath, options);
  require(file_exists(filepath), "SavedModel file does not exist at: ", filepath,
          "/{saved_model.pbtxt|saved_model.pb}");
  const ModelFile file = read_model_file(filepath);
  require(file.model_config.has_value(), "No model found in config file.");
  const ModelRef model = model_from_config(parse_json(*file.model_config));
  model->load_weights(filepath);
  if (!options.compile) return model;
  if (!file.training_config) {
    warn(
        "No training configuration found in save file: the model was *not* compiled. Compile it "
        "manually.");
    return model;
  }
  compile_as(*model, parse_json(*file.training_config));
  if (!file.optimizer_weights.empty()) restore_optimizer(*model, file.optimizer_weights);
  return model;
}

// --- SavedModels ---------------------------------------------------------------------------------

namespace {

using Named = std::map<std::string, Output>;

Named by_layer(const std::vector<Output>& tensors) {
  Named named;
  for (const Output& tensor : tensors) {
    const std::string name = rill::layers::made_by(tensor).layer->name();
    std::string free = name;
    for (int i = 1; named.contains(free); ++i) free = str_cat(name, "_", i);
    named.emplace(free, tensor);
  }
  return named;
}

// Variables under the names that a checkpoint of objects has, which takes the place of theirs.
std::map<std::string, train::ToSave> object_variables(Model& model) {
  std::map<std::string, train::ToSave> named;
  for (const train::TrackedObject& item : train::objects_below(object_of(model)))
    if (const Variable variable = item.object->variable())
      named.emplace(train::object_key(item.path, train::kVariableValue), variable);
  return named;
}

// A graph with nothing but the model made anew.
void add_copy(saved_model::Builder& builder, const Model& model,
              const std::vector<Tensor>& values) {
  const std::shared_ptr<Graph> graph = make_graph();
  const AsDefault as_default(graph);
  backend::set_learning_phase(false);
  const ModelRef served = clone_model(model);
  const auto session = std::make_shared<Session>(graph);
  served->use_session(session);
  served->set_weights(values);
  builder.add_meta_graph_and_variables(
      *session, {"serve"},
      {.signature_def_map = {{"serving_default",
                              saved_model::predict_signature_def(by_layer(served->inputs()),
                                                                 by_layer(served->outputs()))}},
       .saver = std::make_shared<train::Saver>(object_variables(*served))});
}

}  // namespace

void experimental::export_saved_model(Model& model, const std::string& path) {
  require(!model.inputs().empty(), "Model ", model.name(),
          " cannot be saved because the input shapes have not been set. Usually, input shapes are "
          "automatically determined from calling `.fit()` or `.predict()`.");
  Json described = parse_json(to_json(model));
  described.members.emplace_back(
      "training_config", model.compile_options() == nullptr ? Json() : training_config(model));
  saved_model::Builder builder(path);
  add_copy(builder, model, model.get_weights());
  builder.save();
  train::ObjectSaver(object_of(model))
      .save(train::run_steps_of(model.session()), path + "/variables/variables");
  make_directories(path + "/assets");
  write_file(path + "/assets/saved_model.json", to_text(described));
}

}  // namespace rill::keras
