#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "rill/graph/device_name.h"

namespace rill {

// tf.DeviceSpec: a full or partial device name in its parts. What is absent says nothing.
//
//   tf::DeviceSpec({.job = "ps", .device_type = "CPU", .device_index = 0}).to_string();
//   // "/job:ps/device:CPU:0"
class DeviceSpec {
 public:
  struct Parts {
    std::optional<std::string> job = {};
    std::optional<int> replica = {}, task = {};
    std::optional<std::string> device_type = {};
    std::optional<int> device_index = {};
  };
  DeviceSpec() = default;
  DeviceSpec(const Parts& parts);
  DeviceSpec(DeviceName name) : name_(std::move(name)), text_(to_text(name_)) {}
  // Throws InvalidArgument naming the part that it does not know.
  static DeviceSpec from_string(std::string_view spec) { return DeviceName::parse(spec); }
  DeviceSpec& parse_from_string(std::string_view spec) { return *this = from_string(spec); }

  const std::optional<std::string>& job() const { return name_.job; }
  const std::optional<int>& replica() const { return name_.replica; }
  const std::optional<int>& task() const { return name_.task; }
  const std::optional<std::string>& device_type() const { return name_.type; }
  const std::optional<int>& device_index() const { return name_.id; }

  const std::string& to_string() const { return text_; }
  // The parts that `dev` has, and this one's where it has none.
  DeviceSpec make_merged_spec(const DeviceSpec& dev) const { return dev.name_.over(name_); }
  void merge_from(const DeviceSpec& dev) { *this = make_merged_spec(dev); }
  DeviceSpec replace(const Parts& parts) const { return make_merged_spec(DeviceSpec(parts)); }

  operator std::string_view() const { return text_; }  // for tf::device
  friend bool operator==(const DeviceSpec&, const DeviceSpec&) = default;
  friend std::ostream& operator<<(std::ostream& out, const DeviceSpec& spec) {
    return out << spec.to_string();
  }

 private:
  DeviceName name_;
  std::string text_;
};

// "cpu" and "gpu" are written in capitals wherever they are read.
std::optional<std::string> canonical_device_type(std::optional<std::string> type);

}  // namespace rill
