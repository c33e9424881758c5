#include "rill/serve/config/model_settings.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rill/base/error.h"

namespace rill::serve {
namespace {

void check_percent(const std::string& name, const char* what, double percent) {
  require(percent >= 0 && percent <= 100, "percent of the ", what, " of model ", name,
          " is from 0 to 100, not ", percent);
}

void check_settings(const serving::ModelOptions& model) {
  const std::string& name = model.name();
  require(!name.empty(), "A model of the serving options has no name");
  for (const auto& [what, value] : {std::pair{"max_running_steps", model.max_running_steps()},
                                    {"max_queued_requests", model.max_queued_requests()},
                                    {"max_queue_wait_ms", model.max_queue_wait_ms()},
                                    {"response_cache_bytes", model.response_cache_bytes()}})
    require(value >= 0, what, " of model ", name, " is negative: ", value);
  check_percent(name, "canary", model.canary().percent());
  check_percent(name, "shadow", model.shadow().percent());
  require(!model.has_canary() || model.canary().version() > 0, "The canary of model ", name,
          " has no version");
  const bool is_own = model.shadow().model_name().empty() || model.shadow().model_name() == name;
  require(!model.has_shadow() || !is_own || model.shadow().version() > 0, "The shadow of model ",
          name, " is the model itself: it needs a version");
}

}  // namespace

ModelSettings::Share::Share(double percent)
    : most_(static_cast<std::uint64_t>(std::ldexp(std::min(percent / 100, 1 - 1e-15), 64))),
      all_(percent >= 100) {}

void ModelSettings::set(const serving::ServingOptions& options) {
  auto made = std::make_shared<Current>();
  for (const serving::ModelOptions& model : options.model()) {
    check_settings(model);
    const std::string& name = model.name();
    require(made->settings.emplace(name, model).second, "The serving options have model ", name,
            " twice");
    if (model.has_canary()) made->canaries.try_emplace(name, model.canary().percent());
    if (model.has_shadow()) made->shadows.try_emplace(name, model.shadow().percent());
  }
  const std::lock_guard lock(mutex_);
  is_empty_ = made->settings.empty();
  current_ = std::move(made);
}

std::shared_ptr<ModelSettings::Current> ModelSettings::current() const {
  const std::lock_guard lock(mutex_);
  return current_;
}

std::shared_ptr<const AllModelSettings> ModelSettings::all() const {
  auto held = current();
  return {held, &held->settings};
}

serving::ModelOptions ModelSettings::of(const std::string& name) const {
  const auto held = current();
  const auto found = held->settings.find(name);
  return found == held->settings.end() ? serving::ModelOptions() : found->second;
}

std::optional<ModelSettings::Canary> ModelSettings::canary(const std::string& name) {
  if (is_empty_) return std::nullopt;
  const auto held = current();
  const auto share = held->canaries.find(name);
  if (share == held->canaries.end()) return std::nullopt;
  return Canary{held->settings.at(name).canary().version(), share->second.next()};
}

std::optional<serving::Shadow> ModelSettings::shadow(const std::string& name) {
  if (is_empty_) return std::nullopt;
  const auto held = current();
  const auto share = held->shadows.find(name);
  if (share == held->shadows.end() || !share->second.next()) return std::nullopt;
  serving::Shadow shadow = held->settings.at(name).shadow();
  if (shadow.model_name().empty()) shadow.set_model_name(name);
  return shadow;
}

}  // namespace rill::serve
