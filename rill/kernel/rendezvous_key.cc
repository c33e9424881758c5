#include "rill/kernel/rendezvous_key.h"

#include <cstdio>

namespace rill {

std::string rendezvous_prefix(const AttrMap& attrs) {
  const auto text = [&](const char* name) -> const std::string& {
    return attr<std::string>(attrs, name);
  };
  char incarnation[17];
  std::snprintf(
      incarnation, sizeof incarnation, "%016llx",
      static_cast<unsigned long long>(attr<std::int64_t>(attrs, "send_device_incarnation")));
  return str_cat(text("send_device"), ";", incarnation, ";", text("recv_device"), ";",
                 text("tensor_name"), ";");
}

}  // namespace rill
