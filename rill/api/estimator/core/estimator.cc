#include "rill/api/estimator/core/estimator.h"

#include <cstdlib>

#include "rill/api/estimator/core/as_misuse.h"
#include "rill/api/estimator/core/estimator_input.h"
#include "rill/api/estimator/core/estimator_spec.h"
#include "rill/api/estimator/core/predict_sessions.h"
#include "rill/api/logging/tf_logging.h"
#include "rill/api/saver/checkpoint_state.h"
#include "rill/api/saver/checkpoint_utils.h"
#include "rill/api/train/device_setter.h"
#include "rill/base/files.h"
#include "rill/base/system_error.h"

namespace rill::estimator {
namespace {

std::string temporary_directory() {
  const char* const base = std::getenv("TMPDIR");
  std::string path = join_path(base && *base ? base : "/tmp", "tmpXXXXXX");
  require(mkdtemp(path.data()) != nullptr, "Cannot make a temporary directory like ", path);
  logging::warning("Using temporary folder as model directory: ", path);
  return path;
}

std::string config_text(const RunConfig& config) {
  return str_cat("{'_model_dir': '", config.model_dir,
                 "', '_save_summary_steps': ", config.save_summary_steps,
                 ", '_keep_checkpoint_max': ", config.keep_checkpoint_max,
                 ", '_log_step_count_steps': ", config.log_step_count_steps, ", '_task_type': '",
                 config.task_type, "', '_task_id': ", config.task_id,
                 ", '_is_chief': ", config.is_chief ? "True" : "False", "}");
}

RunConfig complete_config(const EstimatorOptions& options) {
  if (!options.config) logging::info("Using default config.");
  RunConfig config = options.config ? *options.config : RunConfig();
  config.model_dir = model_dir_of(config, options.model_dir);
  if (!config.session_config) config.session_config = session_options_of(config);
  logging::info("Using config: ",
                options.config_text.empty() ? config_text(config) : options.config_text);
  return config;
}

DeviceFunction devices_of(const RunConfig& config) {
  if (config.device_fn || config.num_ps_replicas == 0) return config.device_fn;
  return train::replica_device_setter(
      config.num_ps_replicas,
      {.worker_device = str_cat("/job:", config.task_type, "/task:", config.task_id)});
}

}  // namespace

std::string model_dir_of(const RunConfig& config, const std::string& model_dir) {
  require(model_dir.empty() || config.model_dir.empty() || config.model_dir == model_dir,
          "`model_dir` are set both in constructor and `RunConfig`, but with different values. In "
          "constructor: '",
          model_dir, "', in `RunConfig`: '", config.model_dir, "' ");
  if (!model_dir.empty()) return model_dir;
  return config.model_dir.empty() ? temporary_directory() : config.model_dir;
}

Estimator::Estimator(ModelFn model_fn, EstimatorOptions options)
    : model_fn_(std::move(model_fn)),
      config_(as_misuse([&] { return complete_config(options); })),
      warm_start_(std::move(options.warm_start_from)),
      open_(std::move(options.open)),
      new_graph_(std::move(options.new_graph)),
      add_saver_(std::move(options.add_saver)),
      device_fn_(devices_of(config_)),
      predict_sessions_(std::make_shared<PredictSessions>()) {
  if (!model_fn_) train::misuse(Code::kInvalidArgument, "model_fn must be provided to Estimator.");
}

Estimator::~Estimator() = default;

std::vector<std::string> Estimator::get_variable_names() const {
  std::vector<std::string> names;
  for (auto& [name, shape] : train::list_variables(required_checkpoint()))
    names.push_back(std::move(name));
  return names;
}

Tensor Estimator::get_variable_value(const std::string& name) const {
  return train::load_variable(required_checkpoint(), name);
}

std::optional<std::string> Estimator::latest_checkpoint() const {
  return train::latest_checkpoint(model_dir());
}

std::string Estimator::required_checkpoint() const {
  const std::optional<std::string> path = latest_checkpoint();
  if (!path)
    train::misuse(Code::kInvalidArgument,
                  "Could not find trained model in model_dir: ", model_dir(), ".");
  return *path;
}

std::string Estimator::eval_dir(const std::string& name) const {
  return join_path(model_dir(), name.empty() ? "eval" : "eval_" + name);
}

EstimatorSpec Estimator::call_model_fn(const InputBatch& batch, Mode mode) const {
  logging::info("Calling model_fn.");
  EstimatorSpec spec = model_fn_(batch, mode, config_);
  logging::info("Done calling model_fn.");
  return checked(std::move(spec));
}

void Estimator::warm_start_unless(bool has_checkpoint) const {
  if (has_checkpoint || !warm_start_) return;
  logging::info("Warm-starting with WarmStartSettings: ", warm_start_->text());
  if (warm_start_->run_as)
    warm_start_->run_as();
  else
    train::warm_start(warm_start_->ckpt_to_initialize_from, *warm_start_);
}

}  // namespace rill::estimator
