#ifndef TENSORFLOW_CC_FRAMEWORK_SCOPE_H_
#define TENSORFLOW_CC_FRAMEWORK_SCOPE_H_

#include <initializer_list>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "tensorflow/cc/framework/ops.h"
#include "tensorflow/core/framework/graph.pb.h"
#include "tensorflow/core/lib/core/status.h"
#include "tensorflow/core/lib/gtl/array_slice.h"
#include "tensorflow/core/lib/strings/strcat.h"

namespace tensorflow {

// Where nodes are made: the graph, the name scope, control dependencies, the device. A value: each
// With... gives a changed copy. The first error is kept; after it nothing more is made.
class Scope {
 public:
  static Scope NewRootScope();
  Scope(const Scope& other);
  Scope& operator=(const Scope& other);
  ~Scope();

  Scope NewSubScope(const string& child_scope_name) const;
  template <typename... Ty>
  Scope WithOpName(Ty... fragments) const {
    return WithOpNameImpl(strings::StrCat(fragments...));
  }
  Scope WithControlDependencies(const gtl::ArraySlice<Operation>& control_deps) const;
  Scope WithControlDependencies(const std::vector<Operation>& control_deps) const {
    return WithControlDependencies(gtl::ArraySlice<Operation>(control_deps));
  }
  Scope WithControlDependencies(std::initializer_list<Operation> control_deps) const {
    return WithControlDependencies(gtl::ArraySlice<Operation>(control_deps));
  }
  Scope WithControlDependencies(const Output& control_dep) const;
  Scope WithNoControlDependencies() const;
  Scope WithDevice(const string& device) const;
  Scope WithAssignedDevice(const string& device) const { return WithDevice(device); }
  Scope ColocateWith(const Operation& op) const;
  Scope ColocateWith(const Output& out) const { return ColocateWith(out.op()); }
  Scope ClearColocation() const;
  Scope ExitOnError() const;  // an error throws where it happens
  Scope WithKernelLabel(const string& kernel_label) const;

  string GetUniqueNameForOp(const string& default_name) const;
  void UpdateStatus(const Status s) const;
  bool ok() const { return status().ok(); }
  Status status() const;
  Status ToGraphDef(GraphDef* gdef) const;
  std::vector<Operation> control_deps() const;

  struct Impl;
  Impl* impl() const { return impl_.get(); }

 private:
  explicit Scope(std::unique_ptr<Impl> impl);
  Scope WithOpNameImpl(const string& op_name) const;
  std::unique_ptr<Impl> impl_;
};

namespace internal {

// Makes one node; what the builders in tensorflow/cc/ops are made of.
class OpBuilder {
 public:
  OpBuilder(const Scope& scope, const char* op);
  ~OpBuilder();
  OpBuilder& In(const Input& input);
  OpBuilder& In(const InputList& inputs);
  OpBuilder& Attr(const char* name, StringPiece value);
  OpBuilder& Attr(const char* name, const string& value) { return Attr(name, StringPiece(value)); }
  OpBuilder& Attr(const char* name, int64 value);
  OpBuilder& Attr(const char* name, float value);
  OpBuilder& Attr(const char* name, bool value);
  OpBuilder& Attr(const char* name, DataType value);
  OpBuilder& Attr(const char* name, const PartialTensorShape& value);
  OpBuilder& Attr(const char* name, const Tensor& value);
  OpBuilder& Attr(const char* name, const NameAttrList& value);
  OpBuilder& Attr(const char* name, const std::vector<string>& value);
  OpBuilder& Attr(const char* name, const std::vector<int64>& value);
  OpBuilder& Attr(const char* name, const std::vector<float>& value);
  OpBuilder& Attr(const char* name, const std::vector<bool>& value);
  OpBuilder& Attr(const char* name, const std::vector<DataType>& value);
  OpBuilder& Attr(const char* name, const std::vector<PartialTensorShape>& value);
  OpBuilder& Attr(const char* name, const std::vector<Tensor>& value);
  OpBuilder& Attr(const char* name, const std::vector<NameAttrList>& value);
  // Without node when the scope has an error, or gets one now.
  Operation Finish();
  // The outputs of the op's `arg`-th output argument; empty ones without node.
  static Output Single(const Operation& op, int arg);
  static OutputList List(const Operation& op, int arg);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Attributes that are lists are given as slices or in braces and kept as vectors.
template <typename To, typename From>
std::vector<To> Listed(const gtl::ArraySlice<From>& values) {
  return std::vector<To>(values.begin(), values.end());
}

}  // namespace internal
}  // namespace tensorflow

#endif
