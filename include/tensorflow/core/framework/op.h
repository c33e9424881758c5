#ifndef TENSORFLOW_CORE_FRAMEWORK_OP_H_
#define TENSORFLOW_CORE_FRAMEWORK_OP_H_

#include <string>

#include "tensorflow/core/framework/op_def.pb.h"
#include "tensorflow/core/framework/op_def_builder.h"
#include "tensorflow/core/lib/core/errors.h"
#include "tensorflow/core/lib/core/status.h"
#include "tensorflow/core/platform/logging.h"
#include "tensorflow/core/platform/macros.h"
#include "tensorflow/core/platform/mutex.h"
#include "tensorflow/core/platform/types.h"

namespace tensorflow {

class OpRegistryInterface {
 public:
  virtual ~OpRegistryInterface() {}
  virtual Status LookUp(const string& op_type_name, const OpRegistrationData** data) const = 0;
  Status LookUpOpDef(const string& op_type_name, const OpDef** op_def) const;
};

// Every op there is.
class OpRegistry : public OpRegistryInterface {
 public:
  static OpRegistry* Global();
  Status LookUp(const string& op_type_name, const OpRegistrationData** data) const override;
  void Export(bool include_internal, OpList* ops) const;
  // All of them as text, a line for each part of a declaration.
  string DebugString(bool include_internal) const;
};

namespace register_op {

class OpDefBuilderWrapper {
 public:
  explicit OpDefBuilderWrapper(const char name[]) : builder_(name) {}
  OpDefBuilderWrapper& Attr(string spec) { return builder_.Attr(std::move(spec)), *this; }
  OpDefBuilderWrapper& Input(string spec) { return builder_.Input(std::move(spec)), *this; }
  OpDefBuilderWrapper& Output(string spec) { return builder_.Output(std::move(spec)), *this; }
  OpDefBuilderWrapper& SetIsCommutative() { return builder_.SetIsCommutative(), *this; }
  OpDefBuilderWrapper& SetIsAggregate() { return builder_.SetIsAggregate(), *this; }
  OpDefBuilderWrapper& SetIsStateful() { return builder_.SetIsStateful(), *this; }
  OpDefBuilderWrapper& SetAllowsUninitializedInput() {
    return builder_.SetAllowsUninitializedInput(), *this;
  }
  OpDefBuilderWrapper& Deprecated(int version, string explanation) {
    return builder_.Deprecated(version, std::move(explanation)), *this;
  }
  OpDefBuilderWrapper& Doc(string text) { return builder_.Doc(std::move(text)), *this; }
  OpDefBuilderWrapper& SetShapeFn(OpShapeInferenceFn fn) {
    return builder_.SetShapeFn(std::move(fn)), *this;
  }
  const OpDefBuilder& builder() const { return builder_; }

 private:
  OpDefBuilder builder_;
};

// Registers the op. A registration that is wrong does not end the program: load_op_library raises
// it, and for ops linked into a program it is logged.
struct OpDefBuilderReceiver {
  OpDefBuilderReceiver(const OpDefBuilderWrapper& wrapper);
};

}  // namespace register_op
}  // namespace tensorflow

#define REGISTER_OP(name) REGISTER_OP_UNIQ_HELPER(__COUNTER__, name)
#define REGISTER_OP_UNIQ_HELPER(ctr, name) REGISTER_OP_UNIQ(ctr, name)
#define REGISTER_OP_UNIQ(ctr, name)                                             \
  static const ::tensorflow::register_op::OpDefBuilderReceiver register_op##ctr \
      TF_ATTRIBUTE_UNUSED = ::tensorflow::register_op::OpDefBuilderWrapper(name)
#define REGISTER_SYSTEM_OP(name) REGISTER_OP(name)

#endif
