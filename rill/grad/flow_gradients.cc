#include "rill/grad/flow_gradients.h"

#include <array>

#include "rill/base/error.h"
#include "rill/grad/grad_loop.h"
#include "rill/graph/builders.h"
#include "rill/graph/flow_builders.h"
#include "rill/graph/gradient_parts.h"

namespace rill {
namespace {

// The parts of a gradient, each on its way through a Switch or Merge of its own.
template <class F>
Gradient for_each_part(const Gradient& gradient, F f) {
  if (!gradient.is_slices()) return f(gradient.dense());
  const IndexedSlices& slices = gradient.slices();
  IndexedSlices result;
  result.values = f(slices.values);
  result.indices = f(slices.indices);
  if (slices.dense_shape.node) result.dense_shape = f(slices.dense_shape);
  return result;
}

struct Both {
  Gradient if_false, if_true;
};

// Rows go beside their values, in a scope of their own.
Both switched(Scope& scope, const Gradient& gradient, Output pred, std::string_view name) {
  Both both;
  Gradient gate;
  if (gradient.is_slices()) {
    Scope beside = scope.without_colocation().colocated_with(*gradient.slices().values.node);
    Scope inner = beside.named(name);
    gate = for_each_part(gradient, [&](Output part) {
      return inner.add("Switch", {part, pred}).output(0);
    });
  } else {
    gate = add_switch(scope, gradient.dense(), pred, name).output(0);
  }
  both.if_false = gate;
  both.if_true = for_each_part(gate, [](Output part) { return part.node->output(1); });
  return both;
}

// All rows of a tensor.
IndexedSlices all_rows(Scope& scope, Output x) {
  const Output shape = scope.add("Shape", {x}).output();
  const Output count = strided_slice(scope, shape, 0, 1, /*drop=*/true);
  const Output rows = scope.add("Range", {0, count, 1}, {}, "range").output();
  return {x, rows, shape};
}

Output merged(Scope& scope, Output x, Output y, std::string_view name) {
  return scope.add("Merge", {std::vector<Input>{x, y}}, {}, name).output();
}

Gradient merged(Scope& scope, const Gradient& x, const Gradient& y, std::string_view name) {
  if (!x.is_slices() && !y.is_slices()) return merged(scope, x.dense(), y.dense(), name);
  Scope inner = scope.named(name);
  const IndexedSlices a = x.is_slices() ? x.slices() : all_rows(inner, x.dense());
  const IndexedSlices b = y.is_slices() ? y.slices() : all_rows(inner, y.dense());
  IndexedSlices result;
  result.values = merged(inner, a.values, b.values, "Merge");
  result.indices = merged(inner, a.indices, b.indices, "Merge");
  if (a.dense_shape.node && b.dense_shape.node)
    result.dense_shape = merged(inner, a.dense_shape, b.dense_shape, "Merge");
  return result;
}

// A loop's Switch is met twice: first from the Exit, which starts the gradient's way through the
// loop, then from the body, which closes it.
void loop_switch_grad(GradCtx& g) {
  GradLoop* const loop = GradLoop::around(g.scope().flow());
  require(loop != nullptr, "the gradient of ", g.node().name(), " is needed outside of its loop");
  if (const Gradient* merge = loop->merge_of(g.node())) {
    if (g.arriving(1).empty()) return;
    if (!merge->is_slices()) {
      add_back_edge(g.scope(), merge->dense(), g.dy(1));
      return;
    }
    const IndexedSlices& to = merge->slices();
    const IndexedSlices next =
        g.arriving(1).is_slices() ? g.arriving(1).slices() : all_rows(g.scope(), g.dy(1));
    add_back_edge(g.scope(), to.values, next.values);
    add_back_edge(g.scope(), to.indices, next.indices);
    if (to.dense_shape.node && next.dense_shape.node)
      add_back_edge(g.scope(), to.dense_shape, next.dense_shape);
    return;
  }
  if (g.arriving(0).empty()) return;
  const Gradient merge = merged(g.scope(), g.arriving(0), g.arriving(0), "b_switch");
  loop->merges.emplace_back(&g.node(), merge);
  g.set(0, merge);
}

void branch_switch_grad(GradCtx& g, const CondContext& branch) {
  const Gradient& beside = g.arriving(1 - branch.branch());
  if (beside.empty()) {
    if (base_type(g.input(0).dtype()) != DType::resource) return;
    const Gradient& own = g.arriving(branch.branch());
    g.set(0, merged(g.scope(), own, own, "cond_resource_grad"));
    return;
  }
  g.set(0, merged(g.scope(), g.arriving(0), g.arriving(1), "cond_grad"));
}

}  // namespace

void switch_grad(GradCtx& g) {
  const FlowContext* const context = g.node().flow();
  if (context != nullptr && context->is_loop()) return loop_switch_grad(g);
  if (context != nullptr) return branch_switch_grad(g, static_cast<const CondContext&>(*context));
  const Output if_false = g.scope().add("Switch", {g.dy(0), g.input(1)}).output(0);
  const Output if_true = g.scope().add("Switch", {g.dy(1), g.input(1)}).output(1);
  g.set(0, merged(g.scope(), if_false, if_true, "Merge"));
}

void merge_grad(GradCtx& g) {
  const FlowContext* const context = output_context(*g.input(0).node);
  if (context == nullptr) {
    std::vector<Output> taken;
    for (int i = 0; i < g.input_count(); ++i) taken.push_back(g.add("Equal", {g.output(1), i}));
    for (int i = 0; i < g.input_count(); ++i)
      g.set(
          i,
          switched(g.scope(), g.arriving(0), taken[static_cast<std::size_t>(i)], "Switch").if_true);
    return;
  }
  GradLoop* const loop = GradLoop::around(g.scope().flow());
  Both both;
  if (context->is_loop()) {
    require(loop != nullptr, "the gradient of ", g.node().name(), " is needed outside of its loop");
    both = switched(g.scope(), g.arriving(0), loop->backward().loop_cond, "Switch");
  } else {
    Output pred = static_cast<const CondContext&>(*context).pred();
    if (loop != nullptr) pred = loop->predicate_of(g.scope(), pred);
    both = switched(g.scope(), g.arriving(0), pred, "cond_grad");
  }
  g.set(0, both.if_false);
  g.set(1, both.if_true);
}

void enter_grad(GradCtx& g) {
  GradLoop* const loop = GradLoop::around(g.scope().flow());
  const bool passes = loop == nullptr || !loop->backward().options.back_prop;
  if (passes) return g.set(0, g.arriving(0));
  if (is_constant_enter(g.node()))
    return g.set(0, loop->accumulate(g.scope(), g.node(), g.arriving(0)));
  LoopContext& backward = loop->backward();
  g.set(0, for_each_part(g.arriving(0), [&](Output part) {
          backward.exits.push_back(g.add("Exit", {part}));
          backward.leave(std::span(&backward.exits.back(), 1));
          return backward.exits.back();
        }));
}

void exit_grad(GradCtx& g) {
  GradLoop* const loop = GradLoop::around(g.scope().flow());
  require(loop != nullptr, "the gradient of ", g.node().name(), " is needed inside of its loop");
  LoopContext& backward = loop->backward();
  if (!backward.options.back_prop) return;
  if (loop->forward().history != nullptr)
    raise(Code::kInvalidArgument, "Second-order gradient for while loops not supported.");
  const std::string_view name = g.arriving(0).is_slices() ? "Enter" : "b_exit";
  g.set(0, for_each_part(g.arriving(0), [&](Output part) {
          backward.know(part);
          backward.enters.push_back(
              backward.enter(g.scope(), part, LoopContext::Enters::kVariable, name));
          return backward.enters.back();
        }));
}

void loop_cond_grad(GradCtx&) {}

void next_iteration_grad(GradCtx& g) { g.set(0, g.arriving(0)); }

}  // namespace rill
