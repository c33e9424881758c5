#include "rill/api/estimator/core/warm_start_settings.h"

#include "rill/api/logging/tf_logging.h"
#include "rill/base/error.h"
#include "rill/base/files.h"

namespace rill::estimator {
namespace {

// Of a SavedModel, the checkpoint inside.
std::string checkpoint_behind(const std::string& path) {
  const std::string variables = join_path(join_path(path, "variables"), "variables");
  if (!file_exists(variables + ".index")) return path;
  logging::info("Warm-starting from a SavedModel");
  return variables;
}

}  // namespace

WarmStartSettings::WarmStartSettings(const std::string& path)
    : WarmStartSettings(checkpoint_behind(path), {}) {}

WarmStartSettings::WarmStartSettings(std::string path, train::WarmStartOptions options)
    : train::WarmStartOptions(std::move(options)), ckpt_to_initialize_from(std::move(path)) {
  require(!ckpt_to_initialize_from.empty(),
          "`ckpt_to_initialize_from` MUST be set in WarmStartSettings");
}

std::string WarmStartSettings::text() const {
  if (!shown_as.empty()) return shown_as;
  const auto* const names = std::get_if<std::string>(&vars_to_warm_start);
  return str_cat("WarmStartSettings(ckpt_to_initialize_from='", ckpt_to_initialize_from,
                 "', vars_to_warm_start='", names ? *names : "...", "')");
}

}  // namespace rill::estimator
