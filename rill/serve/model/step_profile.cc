#include "rill/serve/model/step_profile.h"

#include <algorithm>
#include <chrono>

#include "rill/base/clock.h"
#include "rill/base/error.h"

namespace rill::serve {
namespace {

constexpr std::chrono::milliseconds kBetweenQuestions{20};

}  // namespace

StepProfile& StepProfile::shared() {
  static StepProfile& profile = *new StepProfile;
  return profile;
}

std::vector<StepProfile::Traced> StepProfile::collect(const std::string& model, std::int64_t millis,
                                                      std::size_t max_steps,
                                                      const std::function<bool()>& give_up) {
  const std::int64_t end = monotonic_nanos() + millis * 1'000'000;
  std::unique_lock lock(mutex_);
  if (is_on_) raise(Code::kResourceExhausted, "A profile is being taken already");
  model_ = model;
  begun_ = 0;
  max_steps_ = max_steps;
  traced_.clear();
  is_on_ = true;
  while (monotonic_nanos() < end && traced_.size() < max_steps && !(give_up && give_up()))
    changed_.wait_for(lock, kBetweenQuestions);
  is_on_ = false;
  return std::exchange(traced_, {});
}

bool StepProfile::wants_now(const std::string& model) {
  const std::lock_guard lock(mutex_);
  if (!is_on_ || begun_ >= max_steps_ || (!model_.empty() && model_ != model)) return false;
  ++begun_;
  return true;
}

void StepProfile::add(const std::string& model, StepStats stats) {
  const std::lock_guard lock(mutex_);
  if (!is_on_) return;
  traced_.push_back({model, std::move(stats)});
  if (traced_.size() >= max_steps_) changed_.notify_all();
}

}  // namespace rill::serve
