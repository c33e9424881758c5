#include "rill/api/core/device_spec.h"

namespace rill {

std::optional<std::string> canonical_device_type(std::optional<std::string> type) {
  if (type == "cpu") return "CPU";
  return type == "gpu" ? "GPU" : type;
}

DeviceSpec::DeviceSpec(const Parts& parts) {
  name_.job = parts.job;
  name_.replica = parts.replica;
  name_.task = parts.task;
  name_.type = canonical_device_type(parts.device_type);
  name_.id = parts.device_index;
  text_ = to_text(name_);
}

}  // namespace rill
