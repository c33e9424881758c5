#include "rill/grad/split_gradient.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "rill/base/error.h"
#include "rill/grad/gradients.h"
#include "rill/graph/builders.h"
#include "rill/graph/function_body.h"
#include "rill/graph/function_call.h"
#include "rill/graph/replaced_nodes.h"
#include "rill/graph/tape.h"
#include "rill/graph/traced_functions.h"

namespace rill {
namespace {

// --- what was split already
// ------------------------------------------------------------------------

using SplitRef = std::shared_ptr<const SplitGradient>;

struct KnownSplits {
  std::mutex mutex;
  struct Entry {
    std::weak_ptr<FunctionLibrary> library;
    std::shared_ptr<const Function> function;  // of that name, when it was split
    SplitRef split;
  };
  std::map<std::pair<const FunctionLibrary*, std::string>, Entry> by_name;
  std::size_t next_sweep = 256;
};

KnownSplits& known_splits() {
  static KnownSplits& known = *new KnownSplits;
  return known;
}

SplitRef find_split(const std::shared_ptr<FunctionLibrary>& library, const Function& function) {
  KnownSplits& known = known_splits();
  const std::lock_guard lock(known.mutex);
  const auto found = known.by_name.find({library.get(), function.name()});
  if (found == known.by_name.end() || found->second.library.lock() != library) return nullptr;
  return found->second.function.get() == &function ? found->second.split : nullptr;
}

void keep_split(const std::shared_ptr<FunctionLibrary>& library,
                std::shared_ptr<const Function> function, SplitRef split) {
  KnownSplits& known = known_splits();
  const std::lock_guard lock(known.mutex);
  if (known.by_name.size() >= known.next_sweep) {
    std::erase_if(known.by_name, [](const auto& entry) { return entry.second.library.expired(); });
    known.next_sweep = 2 * known.by_name.size() + 256;
  }
  const std::string name = function->name();
  known.by_name[{library.get(), name}] = {library, std::move(function), std::move(split)};
}

// --- splitting
// -------------------------------------------------------------------------------------

// The graph of a function, wherever it comes from.
struct Body {
  Graph* graph = nullptr;
  std::vector<Output> arguments, results;
  std::vector<Node*> left_out;  // nodes that are no part of it
  std::shared_ptr<TracedFunction> trace;
  FunctionBody instance;
};

Body body_of(Graph& graph, const FuncName& function, const Function& definition) {
  Body body;
  body.trace = find_trace(graph.functions(), function.name);
  if (body.trace != nullptr) {
    body.graph = body.trace->builder->body().get();
    body.arguments = body.trace->builder->arguments();
    body.results = body.trace->results;
    return body;
  }
  body.instance = instantiate(definition, function.attrs, graph.registry(), graph.functions());
  body.graph = body.instance.graph.get();
  body.arguments = body.instance.arg_outputs();
  body.results = body.instance.return_values();
  body.left_out = body.instance.returns;
  return body;
}

bool is_small_constant(const Output& x) {
  const Tensor* value = constant_value(x);
  return value != nullptr && value->element_count() <= 1024;
}

class Splitter {
 public:
  Splitter(Graph& graph, const FuncName& function)
      : graph_(graph),
        definition_(graph.functions()->at(function.name)),
        body_(body_of(graph, function, *definition_)),
        back_(*body_.graph) {
    back_.body()->capture = [this](Output x) { return captured(std::move(x)); };
  }

  SplitRef run(const std::string& name) {
    for (const Output& argument : body_.arguments) {
      split_->argument_types.push_back(base_type(argument.dtype()));
      split_->argument_shapes.push_back(argument.shape());
    }
    split_->result_count = body_.results.size();
    for (const Output& result : body_.results) {
      split_->forward_types.push_back(base_type(result.dtype()));
      const auto at = std::ranges::find(body_.arguments, result);
      split_->passes.push_back(
          at == body_.arguments.end() ? -1 : static_cast<int>(at - body_.arguments.begin()));
    }
    define_backward(differentiate(), "__backward_" + name);
    define_forward("__forward_" + name);
    return split_;
  }

 private:
  // What is known already is known in the other body, too.
  Output captured(Output x) {
    if (&x.node->graph() != body_.graph) {
      if (!body_.graph->capture)
        raise(Code::kUnimplemented, "a gradient function that reads ", x,
              ", which its function does not read");
      x = body_.graph->capture(x);
    }
    if (is_small_constant(x)) {
      const auto [found, is_new] = constants_.try_emplace({x.node->id(), x.index});
      if (is_new) found->second = Scope(*back_.body()).constant(*constant_value(x), x.node->name());
      return found->second;
    }
    return back_.capture(x);
  }

  std::vector<Gradient> differentiate() {
    std::vector<Output> ys;
    GradientOptions options;
    for (std::size_t i = 0; i < body_.results.size(); ++i) {
      const Output& y = body_.results[i];
      if (!is_differentiable(y.dtype()) || base_type(y.dtype()) == DType::resource) continue;
      split_->seeds.push_back(static_cast<int>(i));
      ys.push_back(y);
      options.grad_ys.emplace_back(back_.add_argument(y.dtype(), "dy", y.shape()));
    }
    Scope scope(*back_.body());
    return gradients(scope, ys, body_.arguments, options);
  }

  int add_result(const Output& result) {
    back_results_.push_back(result);
    return static_cast<int>(back_results_.size()) - 1;
  }

  void define_backward(const std::vector<Gradient>& gradients, const std::string& name) {
    for (const Gradient& gradient : gradients) {
      SplitGradient::Sent sent;
      if (gradient.is_slices()) {
        const IndexedSlices& slices = gradient.slices();
        sent.values = add_result(slices.values);
        sent.indices = add_result(slices.indices);
        if (slices.dense_shape.node) sent.dense_shape = add_result(slices.dense_shape);
      } else if (!gradient.empty()) {
        sent.dense = add_result(gradient.dense());
      }
      split_->sent.push_back(sent);
    }
    Function backward = back_.finish(
        back_results_, {.name = name, .order_effects = true, .describe_arguments = true});
    split_->backward = name;
    split_->backward_has_effects = backward.signature.has(kStateful);
    for (const Output& result : back_results_)
      split_->backward_types.push_back(base_type(result.dtype()));
    define_function(graph_, std::move(backward));
  }

  void define_forward(const std::string& name) {
    std::vector<Output> results = body_.results;
    for (const Output& kept : back_.captured()) {
      const auto at = std::ranges::find(body_.arguments, kept);
      if (at != body_.arguments.end()) {
        split_->kept.push_back({true, static_cast<int>(at - body_.arguments.begin())});
        continue;
      }
      split_->kept.push_back({false, static_cast<int>(results.size())});
      split_->forward_types.push_back(base_type(kept.dtype()));
      split_->kept_shapes.push_back(kept.shape());
      results.push_back(kept);
    }
    const DefineOptions options{.name = name, .order_effects = true, .describe_arguments = true};
    Function forward = body_.trace != nullptr ? body_.trace->builder->finish(results, options)
                                              : definition_of(*body_.graph, body_.arguments,
                                                              results, options, body_.left_out);
    require(forward.signature.inputs.size() == body_.arguments.size(), "the gradient of ",
            definition_->name(), " reads what the function does not");
    split_->forward = name;
    split_->forward_has_effects = forward.signature.has(kStateful);
    define_function(graph_, std::move(forward));
  }

  Graph& graph_;
  const std::shared_ptr<const Function> definition_;
  Body body_;
  FunctionBuilder back_;
  std::map<std::pair<int, int>, Output> constants_;
  std::vector<Output> back_results_;
  const std::shared_ptr<SplitGradient> split_ = std::make_shared<SplitGradient>();
};

bool any_arrives(const GradCtx& g, std::size_t first) {
  for (int i = static_cast<int>(first); i < g.node().output_count(); ++i)
    if (!g.arriving(i).empty()) return true;
  return false;
}

void send_back(GradCtx& g, const SplitGradient& split, std::span<const Output> results) {
  std::vector<Output> dys, arguments;
  for (const int seed : split.seeds) dys.push_back(dy_or_zeros(g, seed));
  for (int i = 0; i < g.input_count(); ++i) arguments.push_back(g.input(i));
  const std::vector<Output> sent = call_backward(g.scope(), split, dys, arguments, results);
  for (std::size_t i = 0; i < split.sent.size(); ++i)
    g.set(static_cast<int>(i), sent_gradient(split, sent, i));
}

// A gradient that goes back through a call of `forward` that was executed. Nothing is run again,
// unless gradients arrive at what was kept: those are of higher order, and need more than that.
bool forward_gradient(GradCtx& g, const SplitGradient& split) {
  if (!g.node().is_executed()) return false;
  std::vector<Output> results;
  if (!any_arrives(g, split.result_count)) {
    for (int i = 0; i < g.node().output_count(); ++i) results.push_back(g.output(i));
    send_back(g, split, results);
    return true;
  }
  const SplitRef more = split_gradient(g.scope().graph(), {.name = split.forward});
  std::vector<Output> arguments;
  for (int i = 0; i < g.input_count(); ++i) arguments.push_back(g.input(i));
  send_back(g, *more,
            call_recorded(g.scope(), {.name = more->forward}, more->forward_has_effects, arguments,
                          more->forward_types));
  return true;
}

std::string unused_name(const FunctionLibrary& library, const std::string& name) {
  std::string candidate = name;
  const auto taken = [&](const std::string& text) {
    return library.find("__backward_" + text) != nullptr ||
           library.find("__forward_" + text) != nullptr;
  };
  for (int i = 0; taken(candidate); ++i) candidate = str_cat(name, "_", i);
  return candidate;
}

}  // namespace

SplitRef split_gradient(Graph& graph, const FuncName& function) {
  const auto& library = graph.functions();
  const auto definition = library->at(function.name);
  if (function.attrs.empty())
    if (SplitRef known = find_split(library, *definition)) return known;
  const SplitRef split = Splitter(graph, function).run(unused_name(*library, function.name));
  if (function.attrs.empty()) keep_split(library, definition, split);
  library->set_gradient_builder(split->forward,
                                [split](GradCtx& g) { return forward_gradient(g, *split); });
  return split;
}

std::vector<Output> call_backward(Scope& scope, const SplitGradient& split,
                                  std::span<const Output> dys, std::span<const Output> arguments,
                                  std::span<const Output> results) {
  if (split.backward_types.empty()) return {};
  std::vector<Output> given(dys.begin(), dys.end());
  for (const auto& [is_argument, index] : split.kept)
    given.push_back((is_argument ? arguments : results)[static_cast<std::size_t>(index)]);
  return call_recorded(scope, {.name = split.backward}, split.backward_has_effects, given,
                       split.backward_types);
}

Gradient sent_gradient(const SplitGradient& split, std::span<const Output> results, std::size_t i) {
  const SplitGradient::Sent& sent = split.sent.at(i);
  const auto at = [&](int k) { return k < 0 ? Output() : results[static_cast<std::size_t>(k)]; };
  if (sent.values >= 0)
    return IndexedSlices{at(sent.values), at(sent.indices), at(sent.dense_shape)};
  return sent.dense < 0 ? Gradient() : Gradient(at(sent.dense));
}

std::vector<Output> call_recorded(Scope& scope, const FuncName& function, bool has_effects,
                                  std::span<const Output> arguments, std::span<const DType> types,
                                  std::string_view name) {
  FuncName called = function;
  std::vector<DType> given(types.begin(), types.end());
  if (scope.graph().is_eager() && any_tape_tracks(arguments)) {
    const SplitRef split = split_gradient(scope.graph(), function);
    called = {.name = split->forward};
    given = split->forward_types;
    has_effects = split->forward_has_effects;
  }
  std::vector<Input> inputs(arguments.begin(), arguments.end());
  Node& node = scope.add(has_effects ? "StatefulPartitionedCall" : "PartitionedCall",
                         {InputArg(std::move(inputs))}, {{"Tout", given}, {"f", called}}, name);
  std::vector<Output> results;
  for (int i = 0; i < static_cast<int>(types.size()); ++i) results.push_back(node.output(i));
  return results;
}

bool can_be_replaced(const Node& node) {
  return !node.is_executed() && node.flow() == nullptr && !node.graph().finalized();
}

Node& replace_node(Node& node, std::vector<Output> more, AttrMap attrs) {
  Graph& graph = node.graph();
  NodeSpec spec{.op = node.op().name,
                .name = graph.unique_name(node.name()),
                .inputs = node.inputs(),
                .control_inputs = node.control_inputs(),
                .attrs = std::move(attrs),
                .device = node.device(),
                .origin = node.origin()};
  spec.inputs.insert(spec.inputs.end(), more.begin(), more.end());
  for (const auto& [name, value] : node.attrs()) spec.attrs.emplace(name, value);
  Node& made = graph.add(std::move(spec));
  for (int i = 0; i < node.output_count(); ++i)
    graph.refine_shape(made.output(i), node.output_shape(i));
  graph.attached<ReplacedNodes>().add(node, made);
  return made;
}

}  // namespace rill
