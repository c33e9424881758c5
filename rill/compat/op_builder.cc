#include "rill/compat/convert.h"
#include "rill/compat/scope.h"
#include "rill/graph/attr_proto.h"

namespace tensorflow {
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
