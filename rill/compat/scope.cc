#include "rill/compat/scope.h"

#include <algorithm>

#include "rill/api/core/default_graph.h"
#include "rill/compat/convert.h"
#include "rill/graph/graph_def.h"
#include "rill/graph/scope.h"

namespace tensorflow {
namespace {

template <class F>
std::unique_ptr<Scope::Impl> changed(const Scope::Impl& from, F&& change) {
  auto copy = std::make_unique<Scope::Impl>(from);
  change(*copy);
  return copy;
}

string joined(const string& scope, const string& name) {
  return scope.empty() || name.empty() ? scope + name : scope + "/" + name;
}

}  // namespace

Scope::Scope(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Scope::Scope(const Scope& other) : impl_(new Impl(*other.impl_)) {}
Scope& Scope::operator=(const Scope& other) {
  impl_.reset(new Impl(*other.impl_));
  return *this;
}
Scope::~Scope() {}

Scope Scope::NewRootScope() {
  auto impl = std::make_unique<Impl>();
  impl->shared = std::make_shared<ScopeShared>();
  impl->shared->graph = rill::make_graph();
  return Scope(std::move(impl));
}

Scope Scope::NewSubScope(const string& child_scope_name) const {
  return Scope(changed(*impl_, [&](Impl& s) {
    s.op_name.clear();
    if (!child_scope_name.empty())
      s.name = s.shared->graph->unique_name(joined(s.name, child_scope_name));
  }));
}
Scope Scope::WithOpNameImpl(const string& op_name) const {
  return Scope(changed(*impl_, [&](Impl& s) { s.op_name = op_name; }));
}
Scope Scope::WithControlDependencies(const gtl::ArraySlice<Operation>& control_deps) const {
  return Scope(changed(*impl_, [&](Impl& s) {
    for (const Operation& op : control_deps)
      if (op.node() != nullptr) s.control.push_back(op.node()->get());
  }));
}
Scope Scope::WithControlDependencies(const Output& control_dep) const {
  return WithControlDependencies({control_dep.op()});
}
Scope Scope::WithNoControlDependencies() const {
  return Scope(changed(*impl_, [](Impl& s) { s.control.clear(); }));
}
Scope Scope::WithDevice(const string& device) const {
  return Scope(changed(*impl_, [&](Impl& s) { s.device = device; }));
}
Scope Scope::ColocateWith(const Operation& op) const {
  return Scope(changed(*impl_, [&](Impl& s) {
    if (op.node() != nullptr) s.colocation.push_back("loc:@" + op.node()->name());
  }));
}
Scope Scope::ClearColocation() const {
  return Scope(changed(*impl_, [](Impl& s) { s.colocation.clear(); }));
}
Scope Scope::ExitOnError() const {
  return Scope(changed(*impl_, [](Impl& s) { s.exit_on_error = true; }));
}
Scope Scope::WithKernelLabel(const string& kernel_label) const {
  return Scope(changed(*impl_, [&](Impl& s) { s.kernel_label = kernel_label; }));
}

string Scope::GetUniqueNameForOp(const string& default_name) const {
  const string& name = impl_->op_name.empty() ? default_name : impl_->op_name;
  return impl_->shared->graph->unique_name(joined(impl_->name, name));
}
void Scope::UpdateStatus(const Status s) const {
  {
    const std::lock_guard lock(impl_->shared->mutex);
    impl_->shared->status.Update(s);
  }
  if (impl_->exit_on_error && !s.ok()) throw to_error(s);
}
Status Scope::status() const {
  const std::lock_guard lock(impl_->shared->mutex);
  return impl_->shared->status;
}
Status Scope::ToGraphDef(GraphDef* gdef) const {
  TF_RETURN_IF_ERROR(status());
  return guarded([&] { rill::export_graph_def(*impl_->shared->graph, gdef); });
}
std::vector<Operation> Scope::control_deps() const {
  std::vector<Operation> operations;
  for (rill::Node* node : impl_->control) operations.emplace_back(node);
  return operations;
}

// --- nodes -------------------------------------------------------------------------------------

const string& Node::name() const { return node_->name(); }
const string& Node::type_string() const { return node_->op().name; }
int Node::id() const { return node_->id(); }
int Node::num_inputs() const { return node_ == nullptr ? 0 : node_->input_count(); }
int Node::num_outputs() const { return node_ == nullptr ? 0 : node_->output_count(); }
DataType Node::output_type(int o) const {
  return node_ == nullptr ? DT_INVALID : from_rill(node_->output_type(o));
}
DataType Node::input_type(int i) const {
  return node_ == nullptr ? DT_INVALID : from_rill(node_->input_type(i));
}
Output Operation::input(int32 i) const { return from_rill(node_.get()->input(i)); }
Output Operation::output(int32 i) const { return Output(*this, i); }
string Output::name() const { return node() == nullptr ? string() : to_rill(*this).name(); }

Input::Initializer::Initializer(const std::initializer_list<Initializer>& v) {
  if (v.size() == 0) {
    tensor = Tensor(DT_FLOAT, TensorShape({0}));
    return;
  }
  const Tensor& first = v.begin()->tensor;
  for (const Initializer& row : v) {
    status.Update(row.status);
    if (status.ok() && (row.tensor.dtype() != first.dtype() || !row.tensor.IsSameSize(first)))
      status = errors::InvalidArgument(
          "Initializer list components should all have the same type and shape");
  }
  if (!status.ok()) return;
  status = guarded([&] {
    TensorShape shape = first.shape();
    shape.InsertDim(0, static_cast<int64>(v.size()));
    rill::Tensor all(to_rill(first.dtype()), to_rill(shape));
    std::int64_t at = 0;
    for (const Initializer& row : v) {
      const rill::Tensor part = all.slice(at, at + 1);
      rill::copy_elements(all.dtype(), part.raw_data(), row.tensor.data(),
                          static_cast<size_t>(first.NumElements()));
      ++at;
    }
    tensor = TensorAccess::wrap(all);
  });
}

TensorProto Input::Initializer::AsTensorProto() const {
  TensorProto proto;
  tensor.AsProtoField(&proto);
  return proto;
}

}  // namespace tensorflow
