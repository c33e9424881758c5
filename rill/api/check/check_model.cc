#include "rill/api/check/check_model.h"

#include <algorithm>
#include <set>

#include "rill/api/core/default_graph.h"
#include "rill/api/describe/describe.h"
#include "rill/api/graph_util/graph_util.h"
#include "rill/api/saver/meta_graph.h"
#include "rill/api/saver/saved_model_loader.h"
#include "rill/base/error.h"
#include "rill/graph/attr_proto.h"
#include "rill/graph/graph_def.h"
#include "rill/graph/newer_ops.h"
#include "rill/kernel/kernel_fit.h"
#include "rill/ops/register.h"
#include "rill/ops/register_kernels.h"

namespace rill::check {
namespace {

using tensorflow::GraphDef;
using tensorflow::NodeDef;

bool is_internal(std::string_view attr) { return attr.starts_with('_'); }

class Checker {
 public:
  Checker(const GraphDef& graph, const tensorflow::OpList* producer_ops)
      : producer_(graph.versions().producer()) {
    for (const auto& function : graph.library().function())
      functions_.insert(function.signature().name());
    if (producer_ops != nullptr)
      for (const auto& op : producer_ops->op()) producer_ops_[op.name()] = &op;
  }

  void check(const NodeDef& node, const std::string& name) {
    ++report_.ops[node.op()];
    if (node.device().find("GPU") != std::string::npos ||
        node.device().find("gpu") != std::string::npos)
      ++wants_gpu_;
    if (functions_.contains(node.op())) return;
    const Op* op = standard_ops().find(node.op());
    if (op == nullptr) {
      note(node.op(), "is not known", name, /*unknown_op=*/true);
      return;
    }
    if (op->deprecated > 0 && producer_ >= op->deprecated)
      note(node.op(),
           str_cat("was removed from graphs of version ", op->deprecated, ": ", op->deprecated_why),
           name);
    AttrMap attrs;
    if (read_attrs(node, *op, name, attrs)) check_kernel(*op, attrs, name);
  }

  void check_whole(const GraphDef& graph, const tensorflow::OpList* producer_ops) {
    if (wants_gpu_ > 0)
      report_.notes.push_back(str_cat(wants_gpu_, wants_gpu_ == 1 ? " node asks" : " nodes ask",
                                      " for a GPU; sessions need allow_soft_placement"));
    if (!problems_.empty()) return;
    try {
      import_graph_def(*make_graph(), graph, {.producer_ops = producer_ops});
    } catch (const Error& error) {
      note("", error.message(), error.node());
    }
  }

  GraphReport take_report() {
    for (auto& [key, problem] : problems_) report_.problems.push_back(std::move(problem));
    return std::move(report_);
  }

 private:
  void note(const std::string& op, const std::string& what, const std::string& node,
            bool unknown_op = false) {
    Problem& problem = problems_[{op, what}];
    problem.op = op;
    problem.what = what;
    problem.unknown_op = unknown_op;
    if (!node.empty()) problem.nodes.push_back(node);
  }

  // Attributes that the op does not have are dropped when a newer program wrote them, or when they
  // say what their writer's op said by default.
  bool may_be_dropped(const NodeDef& node, const std::string& attr,
                      const tensorflow::AttrValue& value) const {
    if (producer_ > kGraphDefVersion) return true;
    const auto op = producer_ops_.find(node.op());
    if (op == producer_ops_.end()) return false;
    return std::ranges::any_of(op->second->attr(), [&](const auto& spec) {
      return spec.name() == attr && spec.has_default_value() &&
             spec.default_value().SerializeAsString() == value.SerializeAsString();
    });
  }

  // False when they are not good enough to choose a kernel by.
  bool read_attrs(const NodeDef& node, const Op& op, const std::string& name, AttrMap& attrs) {
    const std::size_t before = problems_.size();
    for (const auto& [attr, proto] : node.attr()) {
      if (is_internal(attr)) continue;
      const AttrSpec* spec = op.find_attr(attr);
      if (spec == nullptr) {
        if (!may_be_dropped(node, attr, proto))
          note(op.name, str_cat("has no attribute '", attr, "'"), name);
        continue;
      }
      try {
        AttrValue value = body_attr_from_proto(proto);
        if (!value.is_placeholder()) {
          spec->adapt(value);
          spec->check(value, op.name);
          check_functions(op, value, name);
        }
        attrs[attr] = std::move(value);
      } catch (const Error& error) {
        note(op.name, error.message(), name);
      }
    }
    for (const AttrSpec& spec : op.attrs)
      if (!attrs.contains(spec.name) && spec.default_value) attrs[spec.name] = *spec.default_value;
    return problems_.size() == before;
  }

  void check_functions(const Op& op, const AttrValue& value, const std::string& node) {
    std::vector<FuncName> called;
    if (const auto* one = value.get_if<FuncName>()) called.push_back(*one);
    if (const auto* list = value.get_if<std::vector<FuncName>>()) called = *list;
    for (const FuncName& function : called)
      if (!function.name.empty() && !functions_.contains(function.name) &&
          standard_ops().find(function.name) == nullptr)
        note(op.name, str_cat("calls the function ", function.name, ", which is not in the graph"),
             node);
  }

  void check_kernel(const Op& op, const AttrMap& attrs, const std::string& name) {
    const auto entries = standard_kernels().entries(op.name, "CPU");
    if (entries.empty()) {
      if (!op.has(kFeedOnly)) note(op.name, "has no kernel on the CPU", name);
      return;
    }
    std::vector<std::string> types;
    for (const AttrSpec& spec : op.attrs) {
      if (spec.kind != AttrKind::kType || spec.is_list) continue;
      const auto found = attrs.find(spec.name);
      // Inside of a function it may depend on who calls it.
      if (found == attrs.end() || found->second.is_placeholder()) return;
      types.push_back(str_cat(spec.name, "=", found->second));
    }
    if (std::ranges::none_of(
            entries, [&](const KernelEntry* entry) { return types_fit(*entry, op, attrs); }))
      note(op.name, str_cat("has no kernel on the CPU for ", join(types, ", ")), name);
  }

  int producer_;
  std::int64_t wants_gpu_ = 0;
  std::set<std::string> functions_;
  std::map<std::string, const tensorflow::OpDef*> producer_ops_;
  std::map<std::pair<std::string, std::string>, Problem> problems_;
  GraphReport report_;
};

std::string tags_of(const tensorflow::MetaGraphDef& graph) {
  std::vector<std::string> tags(graph.meta_info_def().tags().begin(),
                                graph.meta_info_def().tags().end());
  std::ranges::sort(tags);
  return join(tags, ",");
}

GraphReport check_meta_graph(const tensorflow::MetaGraphDef& graph) {
  GraphReport report = check_graph(graph.graph_def(), &graph.meta_info_def().stripped_op_list());
  report.name = tags_of(graph);
  return report;
}

}  // namespace

GraphReport check_graph(const GraphDef& given, const tensorflow::OpList* producer_ops) {
  const auto translated = in_our_ops(given);
  const GraphDef& graph = translated ? *translated : given;
  Checker checker(graph, producer_ops);
  for (const NodeDef& node : graph.node()) checker.check(node, node.name());
  for (const auto& function : graph.library().function())
    for (const NodeDef& node : function.node_def())
      checker.check(node, str_cat(function.signature().name(), "/", node.name()));
  checker.check_whole(graph, producer_ops);
  GraphReport report = checker.take_report();
  report.nodes = given.node_size();
  report.functions = graph.library().function_size();
  return report;
}

std::vector<GraphReport> check_model(const std::string& path) {
  std::vector<GraphReport> reports;
  switch (describe::kind_of(path)) {
    case describe::Kind::kSavedModel: {
      const tensorflow::SavedModel model = saved_model::read_saved_model(path);
      for (const auto& graph : model.meta_graphs()) reports.push_back(check_meta_graph(graph));
      break;
    }
    case describe::Kind::kMetaGraph:
      reports.push_back(check_meta_graph(train::read_meta_graph_file(path)));
      break;
    case describe::Kind::kGraph:
      reports.push_back(check_graph(graph_util::read_graph_def(path)));
      break;
    default:
      raise(Code::kInvalidArgument, path,
            " holds no graph: it is neither a SavedModel nor a .pb, "
            ".pbtxt or .meta file");
  }
  return reports;
}

}  // namespace rill::check
