#include "rill/serve/config/model_config.h"

#include "rill/base/error.h"
#include "rill/base/file_system.h"
#include "rill/serve/config/config_file.h"

namespace rill::serve {
namespace {

using tensorflow::serving::ModelConfig;
using tensorflow::serving::ModelServerConfig;

// The deprecated field is what old configurations have.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
std::string platform_of(const ModelConfig& model) {
  if (!model.model_platform().empty()) {
    require(model.model_type() == tensorflow::serving::MODEL_TYPE_UNSPECIFIED,
            "Illegal setting both ModelServerConfig::model_type (deprecated) and "
            "ModelServerConfig::model_platform.");
    return model.model_platform();
  }
  require(model.model_type() == tensorflow::serving::TENSORFLOW,
          "Illegal setting neither ModelServerConfig::model_type (deprecated) nor "
          "ModelServerConfig::model_platform: model ",
          model.name());
  return "tensorflow";
}
#pragma GCC diagnostic pop

VersionChoice choice_of(const ModelConfig& model) {
  const auto& policy = model.model_version_policy();
  if (policy.has_all()) return AllVersions();
  if (policy.has_specific()) {
    require(!policy.specific().versions().empty(), "specific model version policy of model ",
            model.name(), " names no versions");
    return SpecificVersions{
        {policy.specific().versions().begin(), policy.specific().versions().end()}};
  }
  return LatestVersions{std::max<std::size_t>(1, policy.latest().num_versions())};
}

}  // namespace

ConfiguredModels checked_models(const ModelServerConfig& config) {
  if (config.has_custom_model_config())
    raise(Code::kUnimplemented, "custom_model_config: only model_config_list is understood");
  ConfiguredModels models;
  for (const ModelConfig& model : config.model_config_list().config()) {
    const std::string& path = model.base_path();
    require(!model.name().empty(), "A model of the config list has no name");
    require(!models.contains(model.name()), "Illegal to list model ", model.name(),
            " multiple times in config list");
    require(path.starts_with('/') || !scheme_of(path).empty(), "Expected model ", model.name(),
            " to have an absolute path or URI; got base_path()=", path);
    models[model.name()] = {platform_of(model),
                            {path, choice_of(model)},
                            {model.version_labels().begin(), model.version_labels().end()}};
  }
  return models;
}

ModelServerConfig single_model(const std::string& name, const std::string& base_path) {
  ModelServerConfig config;
  ModelConfig* model = config.mutable_model_config_list()->add_config();
  model->set_name(name);
  model->set_base_path(base_path);
  model->set_model_platform("tensorflow");
  return config;
}

ModelServerConfig read_model_config(const std::string& path) {
  ModelServerConfig config;
  read_text_config(path, &config);
  return config;
}

}  // namespace rill::serve
