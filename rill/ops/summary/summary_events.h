#pragma once

#include <string>

#include "rill/kernel/resource_manager.h"

namespace rill {

// What a summary writer's handle refers to, for those who have events to write.
class SummaryEvents : public Resource {
 public:
  static constexpr const char* kTypeName = "N10tensorflow22SummaryWriterInterfaceE";
  virtual void write(const std::string& event) = 0;  // a serialized Event
};

}  // namespace rill
