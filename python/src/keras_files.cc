// Keras' HDF5 files, and the models of tf.keras.applications that such are weights of.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "class_call.h"
#include "interpreter_lock.h"
#include "numpy.h"
#include "rill/api/applications/applications.h"
#include "rill/api/keras/get_file.h"
#include "rill/api/keras/saved_metadata.h"
#include "rill/api/keras/utils.h"
#include "rill/api/keras/weights_file.h"
#include "saver.h"
#include "variables.h"

namespace rill::python {
namespace {

// The model's name, and its layers: class, name or None, arguments, inputs.
nb::object keras_application(const std::string& function, nb::handle settings) {
  namespace applications = keras::applications;
  const auto at = [&](const char* name) { return nb::object(settings[name]); };
  const applications::Options options{
      .include_top = nb::cast<bool>(at("include_top")),
      .pooling = nb::cast<std::string>(at("pooling")),
      .classes = nb::cast<std::int64_t>(at("classes")),
      .channels_first = nb::cast<bool>(at("channels_first")),
      .rows = nb::cast<std::int64_t>(at("rows")),
      .columns = nb::cast<std::int64_t>(at("columns")),
      .alpha = nb::cast<double>(at("alpha")),
      .depth_multiplier = nb::cast<std::int64_t>(at("depth_multiplier")),
      .dropout = nb::cast<double>(at("dropout"))};
  const auto made = building([&] { return applications::application(function, options); });
  nb::list layers;
  for (const applications::LayerRow& row : made.layers) {
    nb::dict arguments;
    for (const auto& [name, value] : row.settings)
      arguments[name.c_str()] = std::visit([](const auto& v) { return nb::cast(v); }, value);
    const nb::object name = row.name.empty() ? nb::object(nb::none()) : nb::cast(row.name);
    layers.append(nb::make_tuple(row.class_name, name, arguments, nb::cast(row.inputs)));
  }
  return nb::make_tuple(made.name, layers);
}

keras::NamedTensors named_tensors(nb::handle pairs) {
  keras::NamedTensors all;
  for (nb::handle pair : pairs)
    all.emplace_back(str_of(pair[0]), tensor_from_value(nb::object(pair[1]), DType::invalid));
  return all;
}

nb::list named_arrays(const keras::NamedTensors& tensors) {
  nb::list all;
  for (const auto& [name, value] : tensors)
    all.append(nb::make_tuple(name, numpy_from_tensor(value.clone())));
  return all;
}

std::vector<keras::LayerWeights> layers_of(nb::handle pairs) {
  std::vector<keras::LayerWeights> all;
  for (nb::handle pair : pairs)
    all.push_back({str_of(pair[0]), named_tensors(nb::object(pair[1]))});
  return all;
}

nb::list layer_list(const std::vector<keras::LayerWeights>& layers) {
  nb::list all;
  for (const keras::LayerWeights& layer : layers)
    all.append(nb::make_tuple(layer.layer, named_arrays(layer.weights)));
  return all;
}

// Ctrl-C ends a download; what came of the file is kept.
std::string fetched_file(const std::string& fname, const std::string& origin,
                         keras::utils::GetFile options, nb::handle progress) {
  options.progress = [progress](std::uint64_t done, std::int64_t total) {
    const WithLock lock;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    progress(done, total);
  };
  const WithoutLock release;
  return keras::utils::get_file(fname, origin, options);
}

}  // namespace

void bind_keras_files(nb::module_& m) {
  m.def("keras_get_file", [](const std::string& fname, const std::string& origin, bool untar,
                             const std::string& file_hash, const std::string& cache_subdir,
                             const std::string& hash_algorithm, bool extract,
                             const std::string& cache_dir, nb::handle progress) {
    return fetched_file(fname, origin,
                        {.untar = untar,
                         .file_hash = file_hash,
                         .cache_subdir = cache_subdir,
                         .hash_algorithm = hash_algorithm,
                         .extract = extract,
                         .cache_dir = cache_dir},
                        progress);
  });
  m.def(
      "write_keras_file",
      [](const std::string& path, std::optional<std::string> model_config,
         std::optional<std::string> training_config, nb::handle layers, nb::handle optimizer) {
        building([&] {
          keras::write_model_file(path, {std::move(model_config), std::move(training_config),
                                         layers_of(layers), named_tensors(optimizer)});
        });
      },
      nb::arg("path"), nb::arg("model_config").none(), nb::arg("training_config").none(),
      nb::arg("layers"), nb::arg("optimizer_weights"));
  m.def("read_keras_file", [](const std::string& path) {
    const keras::ModelFile file = building([&] { return keras::read_model_file(path); });
    nb::dict parts;
    parts["model_config"] = nb::cast(file.model_config);
    parts["training_config"] = nb::cast(file.training_config);
    parts["layers"] = layer_list(file.layers);
    parts["optimizer_weights"] = named_arrays(file.optimizer_weights);
    return parts;
  });
  m.def("is_keras_file", [](const std::string& path) { return keras::is_model_file(path); });
  m.def("keras_saved_metadata", [](const std::string& export_dir) {
    return building([&] { return keras::saved_model_metadata(export_dir); });
  });
  m.def("has_keras_file_name", keras::has_model_file_name);
  m.def("keras_hdf5_array", [](const std::string& path, const std::string& dataset) {
    return building(
        [&] { return numpy_from_tensor(Tensor(keras::utils::HDF5Matrix(path, dataset)).clone()); });
  });
  // (variable, array) of what (layer, variables) get of (layer, (name, array)...).
  m.def("keras_application", keras_application);
  m.def("keras_weights_to_load",
        [](nb::handle layers, nb::handle stored, bool by_name, bool skip_mismatch) {
          std::vector<keras::LayerVariables> own;
          for (nb::handle pair : layers) {
            keras::LayerVariables& layer = own.emplace_back();
            layer.layer = str_of(pair[0]);
            for (nb::handle variable : nb::object(pair[1]))
              layer.variables.push_back(variable_of(variable));
          }
          const auto matched = building([&] {
            return keras::weights_to_load(own, layers_of(stored), {by_name, skip_mismatch});
          });
          nb::list all;
          for (const auto& [variable, value] : matched)
            all.append(nb::make_tuple(give(variable), numpy_from_tensor(value.clone())));
          return all;
        });
}

}  // namespace rill::python
