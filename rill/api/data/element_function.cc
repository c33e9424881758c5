#include "rill/api/data/element_function.h"

#include <algorithm>
#include <atomic>

#include "rill/api/core/default_graph.h"
#include "rill/base/error.h"
#include "rill/graph/function_define.h"
#include "rill/graph/traced_functions.h"

namespace rill::data {
namespace {

// "<lambda>" becomes "lambda": the signs are not allowed in names.
std::string plain_name(std::string_view name) {
  std::string result;
  for (const char c : name)
    if (std::string_view("<>\\' ").find(c) == std::string_view::npos) result += c;
  return result;
}

// Names of functions that go again are not used a second time.
std::string unused_name(const FunctionLibrary& library, const std::string& base, bool is_held) {
  static std::atomic<std::size_t> held{0};
  std::size_t number = is_held ? held.fetch_add(1) : library.all().size();
  std::string name = str_cat(base, "_", number);
  while (library.find(name) != nullptr) name = str_cat(base, "_", ++number);
  return name;
}

bool has_branches_or_loops(const Graph& body) {
  return std::ranges::any_of(body.nodes(),
                             [](const Node* node) { return node->op().has(kControlFlow); });
}

}  // namespace

void ElementFunction::check_count(std::size_t wanted, std::size_t given) {
  require_type(wanted == given, "the function takes ", wanted, " arguments, but elements have ",
               given, " parts");
}

TracedFunction trace(std::string_view transformation, const ElementFunction& f,
                     const ElementSpec& arguments, bool legacy) {
  const std::shared_ptr<Graph> graph = default_graph();
  FunctionBuilder builder(*graph);
  const bool is_held = graph->is_eager() || graph->attached<HoldsOfBody>().are_wanted;
  HoldsOfBody& inside_holds = builder.body()->attached<HoldsOfBody>();
  inside_holds.are_wanted = is_held;
  if (is_held) use_functional_flow(*builder.body());
  std::vector<Output> carried;
  for (const ComponentSpec& part : arguments.parts)
    carried.push_back(builder.add_argument(part.carrier_type(), str_cat("args_", carried.size()),
                                           part.carrier_shape()));
  std::vector<Output> results;
  TracedFunction traced;
  {
    const AsDefault inside(builder.body());
    auto [parts, form] = f(parts_of(arguments, carried));
    for (Component& part : parts) part = part.as_tensors("Const");
    results = carriers(parts);
    traced.result = spec_of(parts);
    traced.result.form = form;
  }
  const std::string base = plain_name(str_cat(transformation, "_", f.name()));
  DefineOptions options{
      .name = unused_name(*graph->functions(), legacy ? base : "__inference_" + base, is_held)};
  options.order_effects = !legacy && !has_branches_or_loops(*builder.body());
  Function function = builder.finish(std::move(results), options);
  traced.name = FuncName{function.name()};
  for (const Output& captured : builder.captured()) traced.captured.emplace_back(captured);
  define_function(*graph, std::move(function));
  if (!is_held) return traced;
  traced.hold = hold_function(graph->functions(), traced.name.name, std::move(inside_holds.all));
  if (!graph->is_eager()) graph->attached<HoldsOfBody>().all.push_back(traced.hold);
  return traced;
}

}  // namespace rill::data
