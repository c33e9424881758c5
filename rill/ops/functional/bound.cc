#include "rill/ops/functional/bound.h"

#include <algorithm>

#include "rill/kernel/call_site.h"
#include "rill/tensor/dtype_visit.h"

namespace rill {
namespace {

struct TypesText {
  std::span<const DType> types;
};
std::string to_text(const TypesText& list) {
  std::vector<std::string> names;
  for (const DType type : list.types) names.emplace_back(dtype_name(type));
  return str_cat("(", join(names, ", "), ")");
}

void check_types(const std::string& name, const char* what, std::span<const DType> has,
                 std::span<const DType> wanted) {
  require(std::ranges::equal(has, wanted), "Function ", name, " has ", what, " ", TypesText{has},
          " but is called with ", TypesText{wanted});
}

}  // namespace

BoundFunction& CalledFunctions::find(int which, StepContext& step, std::span<const DType> arguments,
                                     const std::span<const DType>* results) {
  const auto i = static_cast<std::size_t>(which);
  Entry& entry = bound_[i];
  if (BoundFunction* ready = entry.ready.load(std::memory_order_acquire)) return *ready;
  const std::lock_guard lock(mutex_);
  if (entry.owner != nullptr) return *entry.owner;
  if (step.functions == nullptr)
    raise(Code::kInternal, "there is no library to find function ", names_[i].name, " in");
  auto* placing = dynamic_cast<PlacesCalls*>(step.functions);
  auto bound = placing == nullptr ? step.functions->bind(names_[i])
                                  : placing->bind_at(names_[i], {device_, results == nullptr});
  check_types(names_[i].name, "arguments", bound->argument_types(), arguments);
  if (results != nullptr) {
    check_types(names_[i].name, "results", bound->result_types(), *results);
  } else {
    require(bound->result_types().size() == 1, "Expected a single scalar return value, got ",
            bound->result_types().size(), " tensors from function ", names_[i].name);
  }
  entry.owner = std::move(bound);
  entry.ready.store(entry.owner.get(), std::memory_order_release);
  return *entry.owner;
}

std::unique_ptr<KernelState> calls_f(const KernelNode& node) {
  return std::make_unique<CalledFunctions>(node, std::vector<FuncName>{node.attr<FuncName>("f")});
}

std::vector<Tensor> inputs_from(const KernelCall& call, int first) {
  std::vector<Tensor> inputs;
  for (int i = first; i < call.input_count(); ++i) inputs.push_back(call.input_tensor(i));
  return inputs;
}

void call_through(KernelCall& call, BoundFunction& function, int first) {
  TensorList arguments(static_cast<std::size_t>(call.input_count() - first));
  TensorList results(static_cast<std::size_t>(call.output_count()));
  for (int i = first; i < call.input_count(); ++i)
    arguments[static_cast<std::size_t>(i - first)] = call.input_tensor(i);
  function.run(call.step(), arguments.all(), results.all());
  for (int i = 0; i < call.output_count(); ++i)
    call.set_output(i, std::move(results[static_cast<std::size_t>(i)]));
}

void start_through(KernelCall& call, BoundFunction& function, int first, Done done) {
  function.start(call.step(), inputs_from(call, first),
                 [&call, done](std::exception_ptr error, std::vector<Tensor> results) {
                   if (!error)
                     for (std::size_t i = 0; i < results.size(); ++i)
                       call.set_output(static_cast<int>(i), std::move(results[i]));
                   done(error);
                 });
}

bool is_true(const Tensor& condition) {
  if (condition.rank() != 0) return condition.element_count() > 0;
  if (condition.dtype() == DType::boolean) return condition.scalar_value<bool>();
  return visit_dtype(condition.dtype(), [&]<class T>() -> bool {
    if constexpr (std::is_same_v<T, std::string>) return !condition.scalar_value<T>().empty();
    if constexpr (std::is_arithmetic_v<T>) return condition.scalar_value<T>() != T{};
    raise(Code::kInvalidArgument, condition.dtype(), " can't be converted to bool");
  });
}

}  // namespace rill
