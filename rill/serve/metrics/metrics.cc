#include "rill/serve/metrics/metrics.h"

#include <algorithm>

namespace rill::serve {
namespace {

constexpr std::size_t kMaxModels = 1000;
constexpr std::size_t kMaxStates = 1000;

template <std::size_t N>
struct Bounds {
  std::array<double, N> values{};
  std::size_t count = 0;
};

constexpr auto kMicroBounds = [] {
  Bounds<55> bounds;
  double value = 10;
  for (; value < 1000; value *= 1.2) bounds.values[bounds.count++] = value;
  for (; value < 2e9; value *= 1.8) bounds.values[bounds.count++] = value;
  return bounds;
}();
constexpr auto kSizeBounds = [] {
  Bounds<21> bounds;
  for (double value = 1; bounds.count < bounds.values.size(); value *= 2)
    bounds.values[bounds.count++] = value;
  return bounds;
}();

}  // namespace

std::span<const double> Histogram::bounds() const {
  if (scale_ == Scale::kMicros) return std::span(kMicroBounds.values).first(kMicroBounds.count);
  return kSizeBounds.values;
}

void Histogram::add(std::int64_t value) {
  const auto all = bounds();
  const auto place = std::ranges::lower_bound(all, static_cast<double>(value)) - all.begin();
  counts_[static_cast<std::size_t>(place)].add();
  sum_.add(value);
}

std::int64_t Histogram::count() const {
  std::int64_t all = 0;
  for (std::size_t i = 0; i <= bounds().size(); ++i) all += counts_[i].value();
  return all;
}

void RequestMetrics::add(Code code, std::int64_t took_micros) {
  const auto i = static_cast<std::size_t>(code);
  ended[i < kCodes ? i : static_cast<std::size_t>(Code::kUnknown)].add();
  if (code == Code::kOk) micros.add(took_micros);
}

VersionMetrics::VersionMetrics(ServableId given, ModelMetrics& given_model,
                               const std::vector<std::string>& signature_names)
    : id(std::move(given)), model(given_model) {
  signatures[""];
  for (const std::string& name : signature_names) signatures[name];
}

RequestTable& VersionMetrics::signature(const std::string& name) {
  const auto found = signatures.find(name);
  return found == signatures.end() ? signatures.begin()->second : found->second;
}

Metrics::Metrics() : unknown_("unknown"), other_("other") {}
Metrics::~Metrics() = default;

ModelMetrics& Metrics::model(const std::string& name) {
  const std::lock_guard lock(mutex_);
  if (const auto found = models_.find(name); found != models_.end()) return *found->second;
  if (models_.size() >= kMaxModels) return other_;
  return *models_.emplace(name, std::make_unique<ModelMetrics>(name)).first->second;
}

std::shared_ptr<VersionMetrics> Metrics::version(const ServableId& id,
                                                 const std::vector<std::string>& signature_names) {
  auto made = std::make_shared<VersionMetrics>(id, model(id.name), signature_names);
  const std::lock_guard lock(mutex_);
  std::erase_if(versions_, [](const auto& version) { return version.expired(); });
  versions_.push_back(made);
  return made;
}

void Metrics::on_status(const ServableId& id, const VersionStatus& status) {
  const std::lock_guard lock(mutex_);
  if (loads_.contains(id.name) || loads_.size() < kMaxModels) {
    Loads& loads = loads_[id.name];
    if (status.state == State::kAvailable) ++loads.good;
    if (status.state == State::kEnd) ++(status.error ? loads.bad : loads.unloads);
  }
  // Those that are over are forgotten, but for such as could not be loaded.
  if (status.state == State::kEnd && !status.error)
    states_.erase(id);
  else if (states_.contains(id) || states_.size() < kMaxStates)
    states_[id] = status.state;
}

void Metrics::on_connection_end(Entry entry, const char* reason) {
  const std::lock_guard lock(mutex_);
  ++connection_ends_[{entry, reason}];
}

}  // namespace rill::serve
