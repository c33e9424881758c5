#include "rill/api/function/concrete_function.h"

#include <atomic>

#include "rill/api/core/op_call.h"
#include "rill/api/core/variable_making.h"
#include "rill/base/error.h"
#include "rill/grad/split_gradient.h"
#include "rill/graph/tape.h"

namespace rill {
namespace {

std::string inference_name(std::string_view name) {
  static std::atomic<int> count{0};
  std::string plain;
  for (const char c : name)
    plain += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
  return str_cat("__inference_", plain, "_", ++count);
}

bool is_trainable(const Output& handle) {
  if (base_type(handle.dtype()) != DType::resource || !handle.node->is_executed()) return false;
  const Variable variable = find_variable(handle);
  return variable && variable.trainable();
}

}  // namespace

FunctionTrace::FunctionTrace(std::string_view name, NewVariables new_variables)
    : outer_(default_graph()),
      builder_(std::make_shared<FunctionBuilder>(*outer_)),
      name_(inference_name(name)) {
  use_functional_flow(*body());
  body()->attached<VariableMaking>() = {true, new_variables == NewVariables::kRefuse, 0, {}};
}

FunctionTrace::~FunctionTrace() = default;

Output FunctionTrace::add_argument(DType dtype, const PartialShape& shape, std::string_view name,
                                   const Output& given) {
  ++argument_count_;
  const Output argument = builder_->add_argument(dtype, name, shape);
  if (given.node) body()->attached<VariableMaking>().given.emplace(argument.node, given);
  return argument;
}

std::size_t FunctionTrace::new_variables() const { return body()->attached<VariableMaking>().made; }

std::shared_ptr<ConcreteFunction> FunctionTrace::finish(std::vector<Output> results) {
  body()->attached<VariableMaking>().given.clear();
  for (Output& result : results)
    if (&result.node->graph() != body().get()) result = builder_->capture(result);
  Function function =
      builder_->finish(results, {.name = name_, .order_effects = true, .describe_arguments = true});
  std::shared_ptr<ConcreteFunction> made(new ConcreteFunction);
  made->name_ = name_;
  made->library_ = outer_->functions();
  made->has_effects_ = function.signature.has(kStateful);
  define_function(*outer_, std::move(function));
  made->definition_ = made->library_->at(name_);
  for (const Output& result : results) made->types_.push_back(base_type(result.dtype()));
  made->trace_ = keep_trace(made->library_, name_, {builder_, std::move(results)});
  made->inputs_ = builder_->arguments();
  made->argument_count_ = argument_count_;
  for (const Output& captured : builder_->captured())
    if (is_trainable(captured)) made->trainable_.push_back(captured);
  return made;
}

void ConcreteFunction::prepare(std::span<const Output> arguments) const {
  if (!any_tape_is_on()) return;
  for (const Output& handle : trainable_) note_variable_read(handle);
  if (any_tape_tracks(arguments) || any_tape_tracks(captured()))
    split_gradient(*eager_graph(), {.name = name_});
}

std::vector<Output> ConcreteFunction::operator()(std::span<const Output> arguments,
                                                 std::source_location at) const {
  require(arguments.size() == argument_count_, "function ", name_, " of ", argument_count_,
          " arguments was given ", arguments.size());
  std::vector<Output> given(arguments.begin(), arguments.end());
  given.insert(given.end(), captured().begin(), captured().end());
  Scope scope = here(at);
  return scope.graph().is_eager() ? call_now(scope, std::move(given))
                                  : call_in(scope, std::move(given));
}

std::vector<Output> ConcreteFunction::call_now(Scope& scope, std::vector<Output> arguments) const {
  if (any_tape_is_on())
    for (const Output& handle : trainable_) note_variable_read(handle);
  return call_recorded(scope, {.name = name_}, has_effects_, arguments, types_);
}

std::vector<Output> ConcreteFunction::call_in(Scope& scope, std::vector<Output> arguments) const {
  Graph& graph = scope.graph();
  if (graph.functions() != library_) define_with_callees(graph, *definition_, *library_);
  const std::vector<Output> results =
      call_recorded(scope, {.name = name_}, has_effects_, arguments, types_);
  for (std::size_t i = 0; i < results.size(); ++i)
    graph.refine_shape(results[i], outputs()[i].shape());
  if (graph.functions() == library_) hold_trace(graph, trace_);
  return results;
}

}  // namespace rill
