#include "rill/passes/inline_calls.h"

#include <algorithm>
#include <set>
#include <utility>

#include "rill/base/error.h"
#include "rill/base/subscript.h"

namespace rill {
namespace {

// Functions that call functions may double each time.
constexpr std::size_t kMaxItems = 200'000;
constexpr int kMaxCalls = 1000;
constexpr std::size_t kMaxDepth = 64;

FuncName called(const Node& node) {
  if (node.op().has(kCall)) return node.attr<FuncName>("f");
  return {node.op().name, node.attrs()};
}

bool is_marked(const Node& node) {
  const auto it = node.attrs().find("_noinline");
  const bool* marked = it == node.attrs().end() ? nullptr : it->second.get_if<bool>();
  return marked != nullptr && *marked;
}

bool has_control_flow(const Subgraph& graph) {
  return std::ranges::any_of(graph.items, [](const Subgraph::Item& item) {
    return item.is_plain() && item.node->op().has(kControlFlow);
  });
}

// Builds a Subgraph anew, with bodies where calls were. Positions in the old one are kept apart
// from those in the new one by `Placed`.
class Inliner {
 public:
  explicit Inliner(InlinedBodies& bodies) : bodies_(bodies) {}

  Subgraph out;
  int inlined = 0;

  void run(const Subgraph& graph) {
    const std::vector<Placed> placed = place(graph, {}, {});
    for (const auto& fetch : graph.fetches) out.fetches.push_back(moved(fetch, placed));
    for (const int target : graph.targets)
      for (const int end : placed[at(target)].ends) out.targets.push_back(end);
  }

 private:
  // Where an item went: what its outputs are now, and what to wait for in its place.
  struct Placed {
    std::vector<Subgraph::Edge> outputs;  // empty: output i of the single end
    std::vector<int> ends;
  };

  static Subgraph::Edge moved(const Subgraph::Edge& edge, const std::vector<Placed>& placed) {
    const Placed& source = placed[at(edge.item)];
    if (source.outputs.empty()) return {source.ends.front(), edge.output};
    return source.outputs[at(edge.output)];
  }

  // `arguments` take the place of the feeds of a body; what has effects waits for `guards`.
  std::vector<Placed> place(const Subgraph& graph, std::span<const Subgraph::Edge> arguments,
                            std::span<const int> guards) {
    std::vector<Placed> placed(graph.items.size());
    for (std::size_t i = 0; i < graph.items.size(); ++i) {
      const Subgraph::Item& item = graph.items[i];
      if (item.feed >= 0 && !callers_.empty()) {
        const Subgraph::Edge argument = arguments[at(item.feed)];
        placed[i] = {{argument}, {argument.item}};
        continue;
      }
      Subgraph::Item copy = item;
      if (!callers_.empty()) copy.device = device_;
      copy.controls.clear();
      for (auto& input : copy.inputs) input = moved(input, placed);
      for (const int control : item.controls)
        for (const int end : placed[at(control)].ends) add_control(copy, end);
      if (item.is_plain() && !item.node->op().has(kPure))
        for (const int guard : guards) add_control(copy, guard);
      if (item.is_plain() && replace(copy, placed[i])) continue;
      placed[i] = {{}, {static_cast<int>(out.items.size())}};
      out.items.push_back(std::move(copy));
    }
    return placed;
  }

  static void add_control(Subgraph::Item& item, int control) {
    if (std::ranges::find(item.controls, control) == item.controls.end())
      item.controls.push_back(control);
  }

  // Puts the body in place of `call`; false, with nothing changed, when the call must stay.
  bool replace(const Subgraph::Item& call, Placed& placed) {
    if (called_function(*call.node).empty() || callers_.size() >= kMaxDepth ||
        out.items.size() > kMaxItems || ++tried_ > kMaxCalls)
      return false;
    for (const auto& input : call.inputs)
      if (is_ref(out.dtype(input))) return false;
    const FunctionBody* body = bodies_.find(*call.node, callers_);
    if (body == nullptr || !fits(call, *body)) return false;
    const Subgraph part = prune(body->arg_outputs(), body->return_values(), body->side_effects());
    if (has_control_flow(part)) return false;
    for (const auto& fetch : part.fetches)
      if (is_ref(part.dtype(fetch))) return false;

    std::vector<int> guards = call.controls;
    for (const auto& input : call.inputs)
      if (std::ranges::find(guards, input.item) == guards.end()) guards.push_back(input.item);
    const std::size_t begin = out.items.size(), targets = out.targets.size();
    callers_.push_back(called_function(*call.node));
    const int outer_device = std::exchange(device_, call.device);
    const std::vector<Placed> inside = place(part, call.inputs, guards);
    device_ = outer_device;
    callers_.pop_back();
    if (!settle(call, part, inside, begin, placed)) {
      out.items.resize(begin);
      out.targets.resize(targets);
      return false;
    }
    ++inlined;
    return true;
  }

  static bool fits(const Subgraph::Item& call, const FunctionBody& body) {
    const Node& node = *call.node;
    if (body.args.size() != call.inputs.size() || at(node.output_count()) != body.returns.size())
      return false;
    for (int i = 0; i < node.input_count(); ++i)
      if (node.input_type(i) != body.args[at(i)]->output_type(0)) return false;
    for (int i = 0; i < node.output_count(); ++i)
      if (node.output_type(i) != body.returns[at(i)]->input_type(0)) return false;
    return true;
  }

  // What the call's outputs are now. They come after what the call waited for, so where it did wait
  // they must be made inside.
  bool settle(const Subgraph::Item& call, const Subgraph& part, const std::vector<Placed>& inside,
              std::size_t begin, Placed& placed) {
    std::set<int> ends(call.controls.begin(), call.controls.end());
    for (const auto& fetch : part.fetches) {
      const Subgraph::Edge result = moved(fetch, inside);
      if (!call.controls.empty()) {
        Subgraph::Item& maker = out.items[at(result.item)];
        if (at(result.item) < begin || !maker.is_plain()) return false;
        for (const int control : call.controls) add_control(maker, control);
      }
      placed.outputs.push_back(result);
      ends.insert(result.item);
    }
    for (const int target : part.targets)
      for (const int end : inside[at(target)].ends) {
        out.targets.push_back(end);
        ends.insert(end);
      }
    placed.ends.assign(ends.begin(), ends.end());
    // A call of no results, effects or inputs leaves nothing to wait for.
    return !placed.outputs.empty() || !placed.ends.empty();
  }

  InlinedBodies& bodies_;
  std::vector<std::string> callers_;  // functions whose bodies we are in
  int device_ = 0;                    // of the innermost call
  int tried_ = 0;                     // calls so far
};

}  // namespace

std::string called_function(const Node& node) {
  if (node.op().has(kCall)) return node.attr<FuncName>("f").name;
  const auto& library = node.graph().functions();
  return library->find(node.op().name) == nullptr ? "" : node.op().name;
}

const FunctionBody* InlinedBodies::find(const Node& node, std::span<const std::string> callers) {
  const std::string name = called_function(node);
  if (name.empty() || is_marked(node) || std::ranges::find(callers, name) != callers.end())
    return nullptr;
  const std::lock_guard lock(mutex_);
  if (const auto it = by_call_.find(&node); it != by_call_.end()) return it->second.get();
  std::unique_ptr<FunctionBody> body;
  const auto& library = node.graph().functions();
  if (const auto function = library->find(name);
      function != nullptr && !function->flag("_noinline")) {
    try {
      body = std::make_unique<FunctionBody>(
          instantiate(*function, called(node).attrs, node.graph().registry(), library,
                      {.prefix = node.name(), .device = node.device(), .origin = node.origin()}));
    } catch (const Error&) {
      body = nullptr;
    }
  }
  return by_call_.emplace(&node, std::move(body)).first->second.get();
}

int inline_calls(Subgraph& graph, InlinedBodies& bodies) {
  const bool any_call = std::ranges::any_of(graph.items, [](const Subgraph::Item& item) {
    return item.is_plain() && !called_function(*item.node).empty();
  });
  if (!any_call || has_control_flow(graph)) return 0;
  Inliner inliner(bodies);
  inliner.run(graph);
  graph = std::move(inliner.out);
  return inliner.inlined;
}

}  // namespace rill
