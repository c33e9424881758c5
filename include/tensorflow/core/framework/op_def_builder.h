#ifndef TENSORFLOW_CORE_FRAMEWORK_OP_DEF_BUILDER_H_
#define TENSORFLOW_CORE_FRAMEWORK_OP_DEF_BUILDER_H_

#include <functional>
#include <string>
#include <vector>

#include "tensorflow/core/framework/op_def.pb.h"
#include "tensorflow/core/lib/core/status.h"
#include "tensorflow/core/lib/core/stringpiece.h"

namespace tensorflow {

namespace shape_inference {
class InferenceContext;
}
typedef std::function<Status(shape_inference::InferenceContext* c)> OpShapeInferenceFn;

struct OpRegistrationData {
  OpDef op_def;
  OpShapeInferenceFn shape_inference_fn;
  bool is_function_op = false;
};

// Collects the text of an op's registration; it is read when the op is registered.
class OpDefBuilder {
 public:
  explicit OpDefBuilder(string op_name) : name_(std::move(op_name)) {}

  OpDefBuilder& Attr(string spec) { return attrs_.push_back(std::move(spec)), *this; }
  OpDefBuilder& Input(string spec) { return inputs_.push_back(std::move(spec)), *this; }
  OpDefBuilder& Output(string spec) { return outputs_.push_back(std::move(spec)), *this; }
  OpDefBuilder& SetIsCommutative() { return is_commutative_ = true, *this; }
  OpDefBuilder& SetIsAggregate() { return is_aggregate_ = true, *this; }
  OpDefBuilder& SetIsStateful() { return is_stateful_ = true, *this; }
  OpDefBuilder& SetAllowsUninitializedInput() { return allows_uninitialized_input_ = true, *this; }
  OpDefBuilder& Deprecated(int version, string explanation) {
    deprecated_ = version;
    return deprecated_why_ = std::move(explanation), *this;
  }
  OpDefBuilder& Doc(string text) { return doc_ = std::move(text), *this; }
  OpDefBuilder& SetShapeFn(OpShapeInferenceFn fn) { return shape_fn_ = std::move(fn), *this; }

  // What the text says; InvalidArgument when it cannot be understood.
  Status Finalize(OpRegistrationData* op_reg_data) const;

 private:
  friend struct OpDefBuilderAccess;
  string name_, doc_, deprecated_why_;
  std::vector<string> attrs_, inputs_, outputs_;
  bool is_commutative_ = false, is_aggregate_ = false, is_stateful_ = false,
       allows_uninitialized_input_ = false;
  int deprecated_ = 0;
  OpShapeInferenceFn shape_fn_;
};

}  // namespace tensorflow

#endif
