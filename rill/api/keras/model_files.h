#pragma once

#include <string>

#include "rill/api/keras/model.h"
#include "rill/api/keras/model_config.h"

// Whole models in files: layers, weights, how they are trained, and the optimizer's state.
// TensorFlow reads and writes the same files.
//
//   tf::keras::models::save_model(model, "model.h5");
//   auto again = tf::keras::models::load_model("model.h5");
//   again->fit(x, y);
namespace rill::keras {

struct SaveModelOptions {
  bool overwrite = true;
  bool include_optimizer = true;   // and how the model is trained
  std::string save_format = "h5";  // "tf": a SavedModel, which servers take, too
};
// HDF5, whatever the ending of the name, unless the format is another one. Throws AlreadyExists
// where a file is not to be replaced, InvalidArgument where a layer cannot be written down.
void save_model(Model& model, const std::string& filepath, const SaveModelOptions& options = {});

struct LoadModelOptions {
  bool compile = true;  // as it was
};
// The model of an HDF5 file or of a SavedModel that Keras wrote, in the default graph. Layers and
// functions of the program are looked for in keras::utils::get_custom_objects(). Throws NotFound or
// InvalidArgument where there is none.
ModelRef load_model(const std::string& filepath, const LoadModelOptions& options = {});

namespace experimental {
// The model as a SavedModel: a graph for serving, the weights as a checkpoint, and the model as
// JSON. Throws FailedPrecondition when the directory is there and not empty.
void export_saved_model(Model& model, const std::string& saved_model_path);
inline ModelRef load_from_saved_model(const std::string& saved_model_path) {
  return load_model(saved_model_path);
}
}  // namespace experimental

}  // namespace rill::keras
