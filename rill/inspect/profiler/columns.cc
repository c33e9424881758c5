#include "rill/inspect/profiler/columns.h"

#include <cstdio>

#include "rill/base/text.h"
#include "rill/inspect/profiler/number_text.h"

namespace rill::profiler {
namespace {

struct Column {
  const char* select;
  const char* head;
  const char* explanation;
  std::int64_t (*value)(const Figures&);
  std::string (*text)(std::int64_t);
};

std::int64_t total_micros(const Figures& f) { return f.micros(); }
template <std::int64_t Figures::*kField>
std::int64_t field(const Figures& f) {
  return f.*kField;
}

// Figures of a kind, in the order of their columns.
constexpr Column kBytes[] = {
    {"bytes", "requested bytes",
     "requested bytes: what the kernels asked allocators for, summed up.",
     field<&Figures::requested>, bytes_text},
    {"peak_bytes", "peak bytes", "peak bytes: the most that the operation held at one time.",
     field<&Figures::peak>, bytes_text},
    {"residual_bytes", "residual bytes",
     "residual bytes: what was still held when the operation had ended.", field<&Figures::residual>,
     bytes_text},
    {"output_bytes", "output bytes",
     "output bytes: the size of the results, whoever allocated them.", field<&Figures::output>,
     bytes_text}};
constexpr Column kTimes[] = {
    {"micros", "total execution time",
     "total execution time: on accelerators and on the CPU together.", total_micros, micros_text},
    {"accelerator_micros", "accelerator execution time",
     "accelerator execution time: what the hardware says its kernels took.",
     field<&Figures::accelerator_micros>, micros_text},
    {"cpu_micros", "cpu execution time",
     "cpu execution time: from the start of the operation to its end, waiting included.",
     field<&Figures::cpu_micros>, micros_text}};

// "micros" means all three kinds of time.
bool is_selected(const Column& column, const ProfileOptions& options) {
  const bool is_time = column.text == micros_text;
  return options.selects(column.select) || (is_time && options.selects("micros"));
}

template <class Visit>
void for_each_measure(const ProfileOptions& options, Visit visit) {
  for (const Column& column : kBytes)
    if (is_selected(column, options)) visit(column);
  for (const Column& column : kTimes)
    if (is_selected(column, options)) visit(column);
}

std::string with(const char* unit, std::int64_t count) { return count_text(count) + unit; }
std::string params_text(std::int64_t count) { return with(" params", count); }
std::string flops_text(std::int64_t count) { return with(" flops", count); }
std::string float_ops_text(std::int64_t count) { return with(" float_ops", count); }

constexpr Column kParams{"params", "# parameters", "params: the elements of variables.",
                         field<&Figures::params>, params_text};
constexpr Column kFloatOps{"float_ops", "# float_ops",
                           "flops: floating-point operations by the formula of each operation.",
                           field<&Figures::float_ops>, flops_text};

std::string own_and_total(const Row& row, const Column& column) {
  return str_cat(row.is_accounted ? column.text(column.value(row.own)) : "--", "/",
                 column.text(column.value(row.total)));
}

// Counts have their unit once: "54/54 params".
std::string own_and_total_count(const Row& row, const Column& column) {
  return str_cat(row.is_accounted ? count_text(column.value(row.own)) : "--", "/",
                 column.text(column.value(row.total)));
}

std::string joined_types(const Row& row) { return join({row.types.begin(), row.types.end()}, "|"); }

// Of the nodes of a row, "" where one has none.
std::string joined_devices(const Row& row) {
  std::set<std::string> devices;
  for (const ProfiledNode* node : row.nodes) devices.insert(node->device);
  return join({devices.begin(), devices.end()}, "|");
}

std::string occurrence(const Row& row) {
  const auto of = [&](std::int64_t Figures::*field) {
    return str_cat(row.is_accounted ? std::to_string(row.own.*field) : "--", "/", row.total.*field);
  };
  return str_cat(of(&Figures::run_count), "|", of(&Figures::definition_count));
}

std::string tree_shape(const Row& row) {
  const ProfiledNode* node = row.nodes.size() == 1 ? row.nodes[0] : nullptr;
  return node && node->shape ? dims_text(*node->shape) + ", " : "";
}

std::string cell(const Row& row, const Figures& all, const Column& column) {
  // As TensorFlow does: of bytes that there are none of, nothing is added up either.
  const bool is_nothing = column.text == bytes_text && column.value(row.own) == 0;
  const auto percent = [&](const Figures& part) {
    const double whole = static_cast<double>(column.value(all));
    return whole > 0 && !is_nothing ? 100 * static_cast<double>(column.value(part)) / whole : 0;
  };
  char share[64];
  std::snprintf(share, sizeof share, " (%.2f%%, %.2f%%)", percent(row.total), percent(row.own));
  const std::string text = column.text(column.value(row.own)) + share;
  return std::string(text.size() < 30 ? 30 - text.size() : 0, ' ') + text;
}

struct InputType {
  std::int64_t runs = 0, definitions = 0, micros = 0;
};

// A line for each set of input shapes, those that ran most first.
std::string input_types(const Row& row, const ProfiledModel& model, std::int64_t step) {
  std::map<std::string, InputType> types;
  for (const ProfiledNode* node : row.nodes) {
    std::vector<std::string> shapes;
    for (const auto& [index, dims] : model.input_shapes(*node))
      shapes.push_back(str_cat(index, ":", dims_text(dims)));
    const Figures figures = node->figures(step);
    InputType& type = types[join(shapes, ",\t")];
    type.runs += figures.run_count;
    ++type.definitions;
    type.micros += figures.micros();
  }
  std::vector<std::pair<std::string, InputType>> sorted(types.begin(), types.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.runs > b.second.runs; });
  std::string text = "\n";
  for (const auto& [shapes, type] : sorted)
    text += str_cat("input_type: ", shapes, "\t(run*", type.runs, "|defined*", type.definitions,
                    ")\texec_time: ", micros_text(type.micros), "\n");
  return text;
}

}  // namespace

std::string explanation(ViewKind kind, const ProfileOptions& options) {
  constexpr const char* kViews[] = {
      "scope: nodes by the parts of their names, as files in folders.",
      "graph: each node above the nodes that it takes its inputs from.",
      "op: all nodes of the same operation together.",
      "code: nodes below the calls of the program that made them."};
  std::string text = str_cat("\nDoc:\n", kViews[static_cast<int>(kind)], "\n");
  const auto explain = [&](const Column& column) { text += str_cat(column.explanation, "\n"); };
  if (options.selects("params")) explain(kParams);
  if (options.selects("float_ops")) explain(kFloatOps);
  for_each_measure(options, explain);
  if (options.selects("device")) text += "device: where the operation was placed.\n";
  if (options.selects("op_types"))
    text += "op_types: the operation, its device, and what the program calls it.\n";
  if (options.selects("occurrence"))
    text += "occurrence: how often it ran, and how often it is there.\n";
  if (options.selects("input_shapes")) text += "input shape: the shapes of its inputs.\n";
  for (const auto& figure : options.select)
    if (!is_figure(figure)) text += str_cat("Unknown select: ", figure, "\n");
  return text + "\nProfile:\n";
}

std::string head(ViewKind kind, const ProfileOptions& options) {
  const bool is_table = kind == ViewKind::op || kind == ViewKind::code;
  std::vector<std::string> columns, counts;
  if (options.selects("params")) counts.push_back(kParams.head);
  if (options.selects("float_ops")) counts.push_back(kFloatOps.head);
  if (!is_table) columns = counts;
  for_each_measure(options, [&](const Column& column) { columns.push_back(column.head); });
  if (is_table) columns.insert(columns.end(), counts.begin(), counts.end());
  if (options.selects("device")) columns.push_back("assigned devices");
  if (options.selects("op_types")) columns.push_back("op types");
  if (options.selects("occurrence"))
    columns.push_back(is_table ? "op occurrence (run|defined)" : "op count (run|defined)");
  if (options.selects("input_shapes")) columns.push_back("input shapes");
  return str_cat("node name | ", join(columns, " | "), "\n");
}

std::string tree_cells(const ProfiledModel& model, ViewKind kind, const Row& row,
                       const ProfileOptions& options) {
  const bool is_code = kind == ViewKind::code;
  std::vector<std::string> cells, counts;
  if (options.selects("params"))
    counts.push_back((is_code ? "" : tree_shape(row)) + own_and_total_count(row, kParams));
  if (options.selects("float_ops")) counts.push_back(own_and_total_count(row, kFloatOps));
  if (!is_code) cells = counts;
  for_each_measure(options,
                   [&](const Column& column) { cells.push_back(own_and_total(row, column)); });
  if (is_code) cells.insert(cells.end(), counts.begin(), counts.end());
  if (options.selects("device") && (is_code || !row.nodes.empty()))
    if (const std::string devices = joined_devices(row); is_code || !devices.empty())
      cells.push_back(devices);
  if (options.selects("op_types") && (!is_code || !row.nodes.empty()))
    cells.push_back(joined_types(row));
  if (options.selects("occurrence"))
    cells.push_back(is_code ? "occurrence N/A in code view" : occurrence(row));
  if (options.selects("input_shapes"))
    cells.push_back(is_code             ? "input_shapes N/A in code view"
                    : row.nodes.empty() ? ""
                                        : shapes_text(model.input_shapes(*row.nodes[0])));
  return join(cells, ", ");
}

std::string op_cells(const ProfiledModel& model, const Row& row, const Figures& all,
                     const ProfileOptions& options) {
  std::vector<std::string> cells;
  for_each_measure(options, [&](const Column& column) { cells.push_back(cell(row, all, column)); });
  if (options.selects("params")) cells.push_back(cell(row, all, kParams));
  if (options.selects("float_ops")) {
    Column column = kFloatOps;
    column.text = float_ops_text;
    cells.push_back(cell(row, all, column));
  }
  if (options.selects("device")) cells.push_back(joined_devices(row));
  if (options.selects("op_types")) cells.push_back(joined_types(row));
  if (options.selects("occurrence")) {
    const std::string text = str_cat(row.own.run_count, "|", row.own.definition_count);
    cells.push_back(std::string(text.size() < 10 ? 10 - text.size() : 0, ' ') + text);
  }
  std::string text = join(cells, ", ");
  if (options.selects("input_shapes")) text += str_cat("\n", input_types(row, model, options.step));
  return text;
}

}  // namespace rill::profiler
