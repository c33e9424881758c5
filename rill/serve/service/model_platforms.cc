#include "rill/serve/service/model_platforms.h"

#include <algorithm>

#include "rill/base/log.h"
#include "rill/runtime/session/config.h"
#include "rill/serve/batch/batching.h"
#include "rill/serve/config/config_file.h"
#include "tensorflow_serving/servables/tensorflow/saved_model_bundle_source_adapter.pb.h"
#include "tensorflow_serving/servables/tensorflow/session_bundle_source_adapter.pb.h"

namespace rill::serve {
namespace {

using tensorflow::serving::SavedModelBundleSourceAdapterConfig;
using tensorflow::serving::SessionBundleConfig;
using tensorflow::serving::SessionBundleSourceAdapterConfig;

constexpr const char* kUnderstood[] = {"session_target",      "session_config",
                                       "batching_parameters", "saved_model_tags",
                                       "enable_model_warmup", "model_warmup_options"};

void name_ignored(const SessionBundleConfig& config) {
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  config.GetReflection()->ListFields(config, &fields);
  for (const auto* field : fields)
    if (std::ranges::find(kUnderstood, field->name()) == std::end(kUnderstood))
      log(LogLevel::kWarning, "platform config: ", field->name(), " has no effect here");
}

// The policy on ops stays the server's.
ModelOptions with_config(ModelOptions options, const SessionBundleConfig& config) {
  name_ignored(config);
  options.session = session_options(config.session_config(), config.session_target());
  options.tags = {config.saved_model_tags().begin(), config.saved_model_tags().end()};
  if (options.tags.empty()) options.tags = {"serve"};
  options.warm_up = config.enable_model_warmup();
  options.warm_up_rounds =
      std::clamp(config.model_warmup_options().num_request_iterations().value(), 1, 1'000'000);
  options.make_runner = nullptr;
  options.make_runner_of_version = nullptr;
  if (config.has_batching_parameters())
    options.make_runner = batching_runners(batching_options(config.batching_parameters()));
  return options;
}

}  // namespace

std::map<std::string, PathAdapterRef> model_platforms(const ModelOptions& model,
                                                      const std::string& config_file) {
  if (config_file.empty()) return {{"tensorflow", std::make_shared<ModelAdapter>(model)}};
  tensorflow::serving::PlatformConfigMap platforms;
  read_text_config(config_file, &platforms);
  const auto models = [&model](const SessionBundleConfig& config) {
    return std::make_shared<ModelAdapter>(with_config(model, config));
  };
  return adapters_for(
      platforms, {{"tensorflow.serving.SavedModelBundleSourceAdapterConfig",
                   adapter_maker<SavedModelBundleSourceAdapterConfig>(
                       [&models](const auto& config) { return models(config.legacy_config()); })},
                  {"tensorflow.serving.SessionBundleSourceAdapterConfig",
                   adapter_maker<SessionBundleSourceAdapterConfig>(
                       [&models](const auto& config) { return models(config.config()); })}});
}

}  // namespace rill::serve
