#include "rill/kernel/device_type.h"

#include <algorithm>
#include <mutex>

#include "rill/base/error.h"

namespace rill {
namespace {

struct DeviceTypes {
  std::mutex mutex;
  std::vector<std::shared_ptr<DeviceType>> types;
};
DeviceTypes& registered_types() {
  static DeviceTypes& all = *new DeviceTypes;  // libraries may go after static storage
  return all;
}

}  // namespace

PlugInDevice::PlugInDevice(const std::string& type, int index, ThreadPool& pool,
                           const OpGuard* guard)
    : type_(type),
      name_(str_cat("/job:localhost/replica:0/task:0/device:", type, ":", index)),
      pool_(pool),
      guard_(guard) {}

void register_device_type(std::shared_ptr<DeviceType> type) {
  DeviceTypes& all = registered_types();
  const std::lock_guard lock(all.mutex);
  const bool is_taken =
      type->name() == "CPU" || std::ranges::any_of(all.types, [&](const auto& known) {
        return known->name() == type->name();
      });
  if (is_taken)
    raise(Code::kAlreadyExists, "There is a type of device named ", type->name(), " already.");
  all.types.push_back(std::move(type));
  std::ranges::stable_sort(all.types, std::greater<>(),
                           [](const auto& known) { return known->priority(); });
}

std::vector<std::shared_ptr<DeviceType>> device_types() {
  DeviceTypes& all = registered_types();
  const std::lock_guard lock(all.mutex);
  return all.types;
}

void unregister_device_type(const std::string& name) {
  DeviceTypes& all = registered_types();
  const std::lock_guard lock(all.mutex);
  std::erase_if(all.types, [&](const auto& known) { return known->name() == name; });
}

}  // namespace rill
