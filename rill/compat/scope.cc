#include "rill/compat/scope.h"

#include <algorithm>

#include "rill/api/core/default_graph.h"
#include "rill/compat/convert.h"
#include "rill/graph/attr_proto.h"
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

namespace internal {

struct OpBuilder::Impl {
  Scope scope;
  string op;
  std::vector<rill::Output> inputs;
  rill::AttrMap attrs;
};

OpBuilder::OpBuilder(const Scope& scope, const char* op) : impl_(new Impl{scope, op, {}, {}}) {}
OpBuilder::~OpBuilder() {}

namespace {

rill::Output constant(const Scope& scope, const Tensor& value) {
  const Scope inner = scope.NewSubScope("Const");
  Operation made =
      OpBuilder(inner, "Const").Attr("value", value).Attr("dtype", value.dtype()).Finish();
  return {made.node() == nullptr ? nullptr : made.node()->get(), 0};
}

rill::Output named_output(const Scope& scope, const Input& input) {
  rill::Node* node = scope.impl()->shared->graph->find(input.node_name());
  if (node == nullptr) raise(rill::Code::kNotFound, "there is no node '", input.node_name(), "'");
  return {node, input.index()};
}

}  // namespace

OpBuilder& OpBuilder::In(const Input& input) {
  if (!impl_->scope.ok()) return *this;
  impl_->scope.UpdateStatus(guarded([&] {
    if (!input.status().ok()) throw to_error(input.status());
    if (input.has_value())
      impl_->inputs.push_back(constant(impl_->scope, input.tensor()));
    else if (!input.node_name().empty())
      impl_->inputs.push_back(named_output(impl_->scope, input));
    else {
      rill::require(input.node() != nullptr, "an input of ", impl_->op, " is no tensor");
      impl_->inputs.push_back(to_rill(input.output()));
    }
  }));
  return *this;
}
OpBuilder& OpBuilder::In(const InputList& inputs) {
  // A list of one type has its length as an attribute, which the node itself infers.
  for (const Input& input : inputs) In(input);
  return *this;
}

OpBuilder& OpBuilder::Attr(const char* name, StringPiece value) {
  impl_->attrs.insert_or_assign(name, rill::AttrValue(value.ToString()));
  return *this;
}
OpBuilder& OpBuilder::Attr(const char* name, int64 value) {
  impl_->attrs.insert_or_assign(name, rill::AttrValue(std::int64_t{value}));
  return *this;
}
OpBuilder& OpBuilder::Attr(const char* name, float value) {
  impl_->attrs.insert_or_assign(name, rill::AttrValue(value));
  return *this;
}
OpBuilder& OpBuilder::Attr(const char* name, bool value) {
  impl_->attrs.insert_or_assign(name, rill::AttrValue(value));
  return *this;
}
OpBuilder& OpBuilder::Attr(const char* name, DataType value) {
  impl_->attrs.insert_or_assign(name, rill::AttrValue(to_rill(value)));
  return *this;
}
OpBuilder& OpBuilder::Attr(const char* name, const PartialTensorShape& value) {
  impl_->attrs.insert_or_assign(name, rill::AttrValue(to_rill(value)));
  return *this;
}
OpBuilder& OpBuilder::Attr(const char* name, const Tensor& value) {
  impl_->attrs.insert_or_assign(name, rill::AttrValue(TensorAccess::unwrap(value)));
  return *this;
}
OpBuilder& OpBuilder::Attr(const char* name, const NameAttrList& value) {
  impl_->scope.UpdateStatus(guarded(
      [&] { impl_->attrs.insert_or_assign(name, rill::AttrValue(rill::from_proto(value))); }));
  return *this;
}
OpBuilder& OpBuilder::Attr(const char* name, const std::vector<string>& value) {
  impl_->attrs.insert_or_assign(name, rill::AttrValue(value));
  return *this;
}
OpBuilder& OpBuilder::Attr(const char* name, const std::vector<int64>& value) {
  impl_->attrs.insert_or_assign(
      name, rill::AttrValue(std::vector<std::int64_t>(value.begin(), value.end())));
  return *this;
}
OpBuilder& OpBuilder::Attr(const char* name, const std::vector<float>& value) {
  impl_->attrs.insert_or_assign(name, rill::AttrValue(value));
  return *this;
}
OpBuilder& OpBuilder::Attr(const char* name, const std::vector<bool>& value) {
  impl_->attrs.insert_or_assign(name, rill::AttrValue(value));
  return *this;
}

namespace {
template <class To, class From, class F>
rill::AttrValue list_of(const std::vector<From>& values, F convert) {
  std::vector<To> list;
  for (const From& value : values) list.push_back(convert(value));
  return rill::AttrValue(std::move(list));
}
}  // namespace

OpBuilder& OpBuilder::Attr(const char* name, const std::vector<DataType>& value) {
  impl_->attrs.insert_or_assign(name,
                                list_of<rill::DType>(value, [](DataType t) { return to_rill(t); }));
  return *this;
}
OpBuilder& OpBuilder::Attr(const char* name, const std::vector<PartialTensorShape>& value) {
  impl_->attrs.insert_or_assign(
      name,
      list_of<rill::PartialShape>(value, [](const PartialTensorShape& s) { return to_rill(s); }));
  return *this;
}
OpBuilder& OpBuilder::Attr(const char* name, const std::vector<Tensor>& value) {
  impl_->attrs.insert_or_assign(name, list_of<rill::Tensor>(value, TensorAccess::unwrap));
  return *this;
}
OpBuilder& OpBuilder::Attr(const char* name, const std::vector<NameAttrList>& value) {
  impl_->scope.UpdateStatus(guarded([&] {
    impl_->attrs.insert_or_assign(name, list_of<rill::FuncName>(value, [](const NameAttrList& f) {
                                    return rill::from_proto(f);
                                  }));
  }));
  return *this;
}

Operation OpBuilder::Finish() {
  Operation made;
  if (!impl_->scope.ok()) return made;
  const Scope::Impl& scope = *impl_->scope.impl();
  impl_->scope.UpdateStatus(guarded([&] {
    rill::NodeSpec spec;
    spec.op = impl_->op;
    spec.name = impl_->scope.GetUniqueNameForOp(impl_->op);
    spec.inputs = std::move(impl_->inputs);
    spec.control_inputs = scope.control;
    spec.attrs = std::move(impl_->attrs);
    spec.device = scope.device;
    if (!scope.colocation.empty())
      spec.attrs.insert_or_assign("_class", rill::AttrValue(scope.colocation));
    if (!scope.kernel_label.empty())
      spec.attrs.insert_or_assign("_kernel", rill::AttrValue(scope.kernel_label));
    made = Operation(&scope.shared->graph->add(std::move(spec)));
  }));
  return made;
}

namespace {
// Where the outputs of the `arg`-th output argument begin and end.
std::pair<int, int> outputs_of(const rill::Node& node, int arg) {
  int begin = 0, end = 0;
  for (int i = 0; i <= arg; ++i) {
    begin = end;
    end += static_cast<int>(
        arg_types(node.op().outputs.at(static_cast<size_t>(i)), node.attrs()).size());
  }
  return {begin, end};
}
}  // namespace

Output OpBuilder::Single(const Operation& op, int arg) {
  if (op.node() == nullptr) return Output();
  return Output(op, outputs_of(*op.node()->get(), arg).first);
}
OutputList OpBuilder::List(const Operation& op, int arg) {
  OutputList list;
  if (op.node() == nullptr) return list;
  const auto [begin, end] = outputs_of(*op.node()->get(), arg);
  for (int i = begin; i < end; ++i) list.push_back(Output(op, i));
  return list;
}

}  // namespace internal
}  // namespace tensorflow
