#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace rill {

// Anything that lives beyond a step: variables, queues, tables, iterators. Kernels share it by
// shared_ptr; the resource manager owns the named ones.
class Resource {
 public:
  virtual ~Resource() = default;
  virtual std::string describe() const = 0;  // for messages: "variable w, float[3,4]"
  virtual std::int64_t memory_bytes() const { return 0; }
};

// What a DT_RESOURCE element holds: where a resource is to be found, and the resource itself once a
// kernel has made it, so that use needs no lookup. One that was read from a message has only the
// names; the handle keeps its resource alive.
struct ResourceHandle {
  std::string device, container, name, type_name;
  std::uint64_t type_hash = 0;
  std::shared_ptr<Resource> resource;
};

}  // namespace rill
