#include "rill/inspect/profiler/report.h"

#include "rill/base/error.h"
#include "rill/inspect/profiler/columns.h"

namespace rill::profiler {
namespace {

void add_tree(const ProfiledModel& model, ViewKind kind, const Row& row,
              const ProfileOptions& options, int indent, std::string* text) {
  text->append(static_cast<std::size_t>(indent), ' ');
  text->append(row.name).append(" (");
  text->append(tree_cells(model, kind, row, options)).append(")\n");
  for (const RowPtr& child : row.children) add_tree(model, kind, *child, options, indent + 2, text);
}

std::string op_table(const ProfiledModel& model, const Row& root, const ProfileOptions& options) {
  std::string text;
  for (const RowPtr& row : root.children) {
    std::string name = row->name;
    name.resize(std::max<std::size_t>(25, name.size()), ' ');
    text += name + op_cells(model, *row, root.total, options) + "\n";
  }
  return text;
}

}  // namespace

ViewKind view_kind(const std::string& command) {
  if (command == "scope") return ViewKind::scope;
  if (command == "graph") return ViewKind::graph;
  if (command == "op") return ViewKind::op;
  if (command == "code") return ViewKind::code;
  raise(Code::kInvalidArgument, "unknown cmd: ", command, "; expected scope, graph, op or code");
}

RowPtr make_view(const ProfiledModel& model, ViewKind kind, const ProfileOptions& options) {
  switch (kind) {
    case ViewKind::scope:
      return scope_view(model, options);
    case ViewKind::graph:
      return graph_view(model, options);
    case ViewKind::op:
      return op_view(model, options);
    case ViewKind::code:
      return code_view(model, options);
  }
  raise(Code::kInternal, "A view that there is not");
}

std::string report_text(const ProfiledModel& model, ViewKind kind, const Row& root,
                        const ProfileOptions& options) {
  std::string text = explanation(kind, options) + head(kind, options);
  if (kind == ViewKind::op)
    text += op_table(model, root, options);
  else
    add_tree(model, kind, root, options, 0, &text);
  return text;
}

}  // namespace rill::profiler
