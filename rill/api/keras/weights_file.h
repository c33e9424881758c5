#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/variables/variable.h"
#include "rill/tensor/tensor.h"

// Keras' HDF5 files: the weights of layers, and where a whole model is in them also how it is made
// and trained.
namespace rill::keras {

using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

// In the order in which files hold them; names are those of variables ("dense/kernel:0").
struct LayerWeights {
  std::string layer = {};
  NamedTensors weights = {};
};

struct ModelFile {
  std::optional<std::string> model_config = {},
                             training_config = {};  // JSON; none: a file of weights
  std::vector<LayerWeights> layers = {};
  NamedTensors optimizer_weights = {};
};

void write_model_file(const std::string& path, const ModelFile& file);
// Throws NotFound or DataLoss where there is none, InvalidArgument when it is no file of Keras'.
ModelFile read_model_file(const std::string& path);
bool is_model_file(const std::string& path);        // whether it is HDF5
bool has_model_file_name(const std::string& path);  // whether it ends as such files do

// What of a model is to be loaded, in its order.
struct LayerVariables {
  std::string layer = {};
  std::vector<Variable> variables = {};
};
struct LoadOptions {
  bool by_name = false;        // layers by their names, others are left alone; else in their order
  bool skip_mismatch = false;  // by name: layers that do not fit are left alone, too
};
// Which variable gets what. Throws InvalidArgument when they do not go together.
std::vector<std::pair<Variable, Tensor>> weights_to_load(const std::vector<LayerVariables>& layers,
                                                         const std::vector<LayerWeights>& stored,
                                                         const LoadOptions& options = {});

}  // namespace rill::keras
