#include "tensorflow/cc/client/client_session.h"

#include "rill/compat/convert.h"
#include "rill/compat/scope.h"
#include "rill/grad/gradients.h"
#include "rill/runtime/session/config.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/cc/framework/gradients.h"
#include "tensorflow/cc/ops/const_op.h"

namespace tensorflow {

struct ClientSession::Impl {
  std::shared_ptr<ScopeShared> shared;
  std::unique_ptr<rill::Session> session;
  Status made;  // what the constructor could not say
};

ClientSession::ClientSession(const Scope& scope) : ClientSession(scope, SessionOptions()) {}

namespace {
SessionOptions with_target(const string& target) {
  SessionOptions options;
  options.target = target;
  return options;
}
}  // namespace

ClientSession::ClientSession(const Scope& scope, const string& target)
    : ClientSession(scope, with_target(target)) {}

ClientSession::ClientSession(const Scope& scope, const SessionOptions& session_options)
    : impl_(new Impl) {
  impl_->shared = scope.impl()->shared;
  impl_->made = guarded([&] {
    impl_->session = std::make_unique<rill::Session>(
        impl_->shared->graph,
        rill::session_options(session_options.config, session_options.target));
  });
}

ClientSession::~ClientSession() {}

Status ClientSession::Run(const std::vector<Output>& fetch_outputs,
                          std::vector<Tensor>* outputs) const {
  return Run(FeedType{}, fetch_outputs, {}, outputs);
}
Status ClientSession::Run(const FeedType& inputs, const std::vector<Output>& fetch_outputs,
                          std::vector<Tensor>* outputs) const {
  return Run(inputs, fetch_outputs, {}, outputs);
}
Status ClientSession::Run(const FeedType& inputs, const std::vector<Output>& fetch_outputs,
                          const std::vector<Operation>& run_outputs,
                          std::vector<Tensor>* outputs) const {
  return Run(RunOptions(), inputs, fetch_outputs, run_outputs, outputs, nullptr);
}

Status ClientSession::Run(const RunOptions& run_options, const FeedType& inputs,
                          const std::vector<Output>& fetch_outputs,
                          const std::vector<Operation>& run_outputs, std::vector<Tensor>* outputs,
                          RunMetadata* run_metadata) const {
  TF_RETURN_IF_ERROR(impl_->made);
  {
    const std::lock_guard lock(impl_->shared->mutex);
    TF_RETURN_IF_ERROR(impl_->shared->status);
  }
  return guarded([&] {
    std::vector<rill::Feed> feeds;
    for (const auto& [target, value] : inputs) {
      if (!value.status.ok()) throw to_error(value.status);
      feeds.push_back({to_rill(target), TensorAccess::unwrap(value.tensor)});
    }
    std::vector<rill::Output> fetches;
    for (const Output& output : fetch_outputs) {
      rill::require(output.node() != nullptr, "a fetched output has no node");
      fetches.push_back(to_rill(output));
    }
    std::vector<rill::Node*> targets;
    for (const Operation& operation : run_outputs) {
      rill::require(operation.node() != nullptr, "an operation to run has no node");
      targets.push_back(operation.node()->get());
    }
    rill::StepStats stats;
    const auto values = impl_->session->run(feeds, fetches, targets, rill::run_options(run_options),
                                            run_metadata == nullptr ? nullptr : &stats);
    if (outputs != nullptr) {
      outputs->clear();
      for (const rill::Tensor& value : values)
        outputs->push_back(TensorAccess::wrap_aligned(value));
    }
    if (run_metadata != nullptr) rill::to_proto(stats, run_metadata);
  });
}

Status AddSymbolicGradients(const Scope& scope, const std::vector<Output>& outputs,
                            const std::vector<Output>& inputs,
                            const std::vector<Output>& grad_inputs,
                            std::vector<Output>* grad_outputs) {
  TF_RETURN_IF_ERROR(scope.status());
  return guarded([&] {
    std::vector<rill::Output> ys, xs;
    for (const Output& output : outputs) ys.push_back(to_rill(output));
    for (const Output& input : inputs) xs.push_back(to_rill(input));
    rill::GradientOptions options;
    for (const Output& given : grad_inputs) options.grad_ys.emplace_back(to_rill(given));
    rill::Scope inner(*scope.impl()->shared->graph);
    if (!scope.impl()->name.empty()) inner = inner.named(scope.impl()->name + "/");
    grad_outputs->clear();
    for (const rill::Gradient& gradient : rill::gradients(inner, ys, xs, options)) {
      if (gradient.empty())
        grad_outputs->push_back(NoGradient());
      else if (gradient.is_slices())
        grad_outputs->push_back(from_rill(rill::densify(inner, gradient.slices())));
      else
        grad_outputs->push_back(from_rill(gradient.dense()));
    }
  });
}
Status AddSymbolicGradients(const Scope& scope, const std::vector<Output>& outputs,
                            const std::vector<Output>& inputs, std::vector<Output>* grad_outputs) {
  return AddSymbolicGradients(scope, outputs, inputs, {}, grad_outputs);
}
Output NoGradient() { return Output(Operation(), -1); }

namespace ops {

Output Const(const Scope& scope, const Input::Initializer& val) {
  scope.UpdateStatus(val.status);
  if (!scope.ok()) return Output();
  return tensorflow::internal::OpBuilder::Single(tensorflow::internal::OpBuilder(scope, "Const")
                                                     .Attr("value", val.tensor)
                                                     .Attr("dtype", val.tensor.dtype())
                                                     .Finish(),
                                                 0);
}
Output ConstFromProto(const Scope& scope, const TensorProto& proto) {
  Tensor value;
  scope.UpdateStatus(guarded([&] { value = TensorAccess::wrap(rill::from_proto(proto)); }));
  return scope.ok() ? Const(scope, Input::Initializer(value)) : Output();
}

namespace internal {
namespace {

// Numbers go through the wider of their kinds; a program's literals are small.
template <class From>
bool cast_to(const Tensor& from, Tensor* to) {
  const auto in = from.flat<From>();
  const auto fill = [&](auto* element) {
    using To = std::remove_pointer_t<decltype(element)>;
    for (int64 i = 0; i < from.NumElements(); ++i) element[i] = static_cast<To>(in(i));
    return true;
  };
  switch (to->dtype()) {
    case DT_FLOAT:
      return fill(to->flat<float>().data());
    case DT_DOUBLE:
      return fill(to->flat<double>().data());
    case DT_INT8:
      return fill(to->flat<int8>().data());
    case DT_INT16:
      return fill(to->flat<int16>().data());
    case DT_INT32:
      return fill(to->flat<int32>().data());
    case DT_INT64:
      return fill(to->flat<int64>().data());
    case DT_UINT8:
      return fill(to->flat<uint8>().data());
    case DT_UINT16:
      return fill(to->flat<uint16>().data());
    case DT_UINT32:
      return fill(to->flat<uint32>().data());
    case DT_UINT64:
      return fill(to->flat<uint64>().data());
    case DT_BOOL:
      return fill(to->flat<bool>().data());
    case DT_HALF: {
      for (int64 i = 0; i < from.NumElements(); ++i)
        to->flat<Eigen::half>()(i) = Eigen::half(static_cast<float>(in(i)));
      return true;
    }
    default:
      return false;
  }
}

bool cast(const Tensor& from, Tensor* to) {
  switch (from.dtype()) {
    case DT_INT32:
      return cast_to<int32>(from, to);
    case DT_INT64:
      return cast_to<int64>(from, to);
    case DT_FLOAT:
      return cast_to<float>(from, to);
    case DT_DOUBLE:
      return cast_to<double>(from, to);
    case DT_BOOL:
      return cast_to<bool>(from, to);
    default:
      return from.NumElements() == 0;
  }
}

}  // namespace

Output ConstOfType(const Scope& scope, const Input::Initializer& val, DataType type) {
  if (!val.status.ok() || val.tensor.dtype() == type) return Const(scope, val);
  Tensor converted;
  scope.UpdateStatus(guarded([&] {
    converted = Tensor(type, val.tensor.shape());
    if (!cast(val.tensor, &converted))
      raise(rill::Code::kUnimplemented, "a constant of type ", DataTypeString(type),
            " from a value of type ", DataTypeString(val.tensor.dtype()));
  }));
  return scope.ok() ? Const(scope, Input::Initializer(converted)) : Output();
}

}  // namespace internal
}  // namespace ops
}  // namespace tensorflow
