#ifndef TENSORFLOW_CORE_FRAMEWORK_KERNEL_DEF_BUILDER_H_
#define TENSORFLOW_CORE_FRAMEWORK_KERNEL_DEF_BUILDER_H_

#include <string>
#include <vector>

#include "tensorflow/core/framework/types.h"
#include "tensorflow/core/platform/macros.h"
#include "tensorflow/core/platform/types.h"

namespace tensorflow {

// For which nodes a kernel is: the op, the device, types that attributes must have, a label.
struct KernelDefinition {
  struct Constraint {
    string attr;
    std::vector<DataType> allowed;
  };
  string op, device_type, label;
  std::vector<Constraint> constraints;
  std::vector<string> host_memory_args;
  int32 priority = 0;
};

class KernelDefBuilder {
 public:
  explicit KernelDefBuilder(const char* op_name) { def_.op = op_name; }

  KernelDefBuilder& Device(const char* device_type) {
    return def_.device_type = device_type, *this;
  }
  KernelDefBuilder& TypeConstraint(const char* attr_name, const std::vector<DataType>& allowed) {
    KernelDefinition::Constraint constraint = {attr_name, allowed};
    return def_.constraints.push_back(constraint), *this;
  }
  KernelDefBuilder& TypeConstraint(const char* attr_name, DataType allowed) {
    return TypeConstraint(attr_name, std::vector<DataType>(1, allowed));
  }
  template <class T>
  KernelDefBuilder& TypeConstraint(const char* attr_name) {
    return TypeConstraint(attr_name, DataTypeToEnum<T>::v());
  }
  KernelDefBuilder& HostMemory(const char* arg_name) {
    return def_.host_memory_args.push_back(arg_name), *this;
  }
  KernelDefBuilder& Label(const char* label) { return def_.label = label, *this; }
  KernelDefBuilder& Priority(int32 priority) { return def_.priority = priority, *this; }
  const KernelDefinition& Build() const { return def_; }

 private:
  KernelDefinition def_;
};

}  // namespace tensorflow

#endif
