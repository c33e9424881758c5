#ifndef TENSORFLOW_CORE_FRAMEWORK_RESOURCE_HANDLE_H_
#define TENSORFLOW_CORE_FRAMEWORK_RESOURCE_HANDLE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "tensorflow/core/platform/types.h"

namespace rill {
class Resource;
}

namespace tensorflow {

// What an element of a DT_RESOURCE tensor holds: where a resource is to be found. Laid out as the
// library's own handles are.
class ResourceHandle {
 public:
  ResourceHandle() : hash_code_(0) {}
  const string& device() const { return device_; }
  void set_device(const string& device) { device_ = device; }
  const string& container() const { return container_; }
  void set_container(const string& container) { container_ = container; }
  const string& name() const { return name_; }
  void set_name(const string& name) { name_ = name; }
  uint64 hash_code() const { return hash_code_; }
  void set_hash_code(uint64 hash_code) { hash_code_ = hash_code; }
  const string& maybe_type_name() const { return maybe_type_name_; }
  void set_maybe_type_name(const string& value) { maybe_type_name_ = value; }
  string DebugString() const;

 private:
  friend struct ResourceHandleAccess;
  string device_, container_, name_, maybe_type_name_;
  std::uint64_t hash_code_;
  std::shared_ptr<::rill::Resource> resource_;
};

}  // namespace tensorflow

#endif
