#pragma once

#include <string>
#include <utility>
#include <variant>

#include "rill/api/core/default_graph.h"

namespace rill {

// A device: by name, or a function that is asked for every node that is made there.
class DeviceChoice {
 public:
  DeviceChoice(std::string name) : device_(std::move(name)) {}
  DeviceChoice(const char* name) : device_(std::string(name)) {}
  DeviceChoice(DeviceFunction choose) : device_(std::move(choose)) {}

  const std::string* name() const { return std::get_if<std::string>(&device_); }
  const DeviceFunction* function() const { return std::get_if<DeviceFunction>(&device_); }
  Scope inside(const Scope& scope) const {
    return std::visit([&](const auto& device) { return scope.on_device(device); }, device_);
  }

 private:
  std::variant<std::string, DeviceFunction> device_;
};

// Nodes made while it lives go to that device.
class OnDevice : public ScopeChange {
 public:
  explicit OnDevice(const DeviceChoice& device) : ScopeChange(device.inside(current_scope())) {}
};

}  // namespace rill
