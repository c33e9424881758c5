#include "rill/api/function/function.h"

#include <mutex>
#include <unordered_map>

#include "rill/api/function/concrete_function.h"
#include "rill/base/error.h"

namespace rill {
namespace {

using ConcreteRef = std::shared_ptr<const ConcreteFunction>;

void append(std::string& key, const ArgumentSpec& spec) {
  const auto put = [&](const auto& value) {
    key.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  put(spec.dtype);
  const int rank = spec.shape.has_rank() ? spec.shape.rank() : -1;
  put(rank);
  for (int d = 0; d < rank; ++d) put(spec.shape[d]);
}

std::vector<ArgumentSpec> specs_of(const std::vector<Output>& tensors) {
  std::vector<ArgumentSpec> specs;
  for (const Output& tensor : tensors) specs.push_back({base_type(tensor.dtype()), tensor.shape()});
  return specs;
}

// Shapes that both have.
PartialShape common(const PartialShape& a, const PartialShape& b) {
  if (!a.has_rank() || !b.has_rank() || a.rank() != b.rank()) return {};
  std::vector<std::int64_t> dims;
  for (int d = 0; d < a.rank(); ++d) dims.push_back(a[d] == b[d] ? a[d] : kUnknownDim);
  return PartialShape(dims);
}

}  // namespace

struct TracedFunctionCore::Impl {
  explicit Impl(TraceOptions o) : options(std::move(o)) {}

  // Functions are told apart by the library that they are defined in, too.
  static std::string outline(const std::string& key) {
    const void* const library = default_graph()->functions().get();
    return std::string(reinterpret_cast<const char*>(&library), sizeof library) + key;
  }

  ConcreteRef find(const std::vector<ArgumentSpec>& specs, const std::string& key,
                   const std::vector<Output>& given, const Build& build) {
    std::string full = outline(key);
    for (const ArgumentSpec& spec : specs) append(full, spec);
    const std::lock_guard lock(mutex);
    if (const auto known = by_signature.find(full); known != by_signature.end())
      return known->second;
    auto wanted = specs;
    if (options.relax_shapes) relax(wanted, outline(key));
    ConcreteRef made = trace(wanted, given, build);
    return by_signature.emplace(std::move(full), std::move(made)).first->second;
  }

  // Leaves open where shapes differ from those of the call before.
  void relax(std::vector<ArgumentSpec>& specs, const std::string& key) {
    auto& last = last_specs[key];
    if (last.size() == specs.size())
      for (std::size_t i = 0; i < specs.size(); ++i)
        specs[i].shape = common(specs[i].shape, last[i].shape);
    last = specs;
  }

  ConcreteRef trace(const std::vector<ArgumentSpec>& specs, const std::vector<Output>& given,
                    const Build& build) {
    std::size_t made_variables = 0;
    const auto may_make =
        traces == 0 ? FunctionTrace::NewVariables::kMake : FunctionTrace::NewVariables::kRefuse;
    ConcreteRef made = trace_once(specs, given, build, may_make, &made_variables);
    if (made_variables > 0)  // from now on it finds them there
      made = trace_once(specs, {}, build, FunctionTrace::NewVariables::kRefuse, &made_variables);
    return made;
  }

  ConcreteRef trace_once(const std::vector<ArgumentSpec>& specs, const std::vector<Output>& given,
                         const Build& build, FunctionTrace::NewVariables may_make,
                         std::size_t* made_variables) {
    ++traces;
    FunctionTrace body(options.name, may_make);
    std::vector<Output> arguments;
    for (std::size_t i = 0; i < specs.size(); ++i)
      arguments.push_back(body.add_argument(specs[i].dtype, specs[i].shape, str_cat("arg", i),
                                            i < given.size() ? given[i] : Output()));
    const AsDefault inside(body.body());
    std::vector<Output> results = build(arguments);
    *made_variables = body.new_variables();
    return body.finish(std::move(results));
  }

  const TraceOptions options;
  std::recursive_mutex mutex;
  std::unordered_map<std::string, ConcreteRef> by_signature;
  std::unordered_map<std::string, std::vector<ArgumentSpec>> last_specs;
  int traces = 0;
};

TracedFunctionCore::TracedFunctionCore(TraceOptions options)
    : impl_(std::make_unique<Impl>(std::move(options))) {}
TracedFunctionCore::~TracedFunctionCore() = default;

int TracedFunctionCore::trace_count() const { return impl_->traces; }

std::vector<Output> TracedFunctionCore::call(const std::vector<Output>& arguments,
                                             const std::string& key, const Build& build,
                                             std::source_location at) {
  std::vector<ArgumentSpec> specs = specs_of(arguments);
  const auto& wanted = impl_->options.input_signature;
  if (!wanted.empty()) {
    require(wanted.size() == specs.size(), "function ", impl_->options.name, " of ", wanted.size(),
            " arguments was given ", specs.size());
    for (std::size_t i = 0; i < specs.size(); ++i)
      require(wanted[i].dtype == specs[i].dtype && wanted[i].shape.is_compatible(specs[i].shape),
              "argument ", i, " of function ", impl_->options.name, " is ", specs[i].dtype,
              specs[i].shape, ", which its input_signature, ", wanted[i].dtype, wanted[i].shape,
              ", does not take");
    specs = wanted;
  }
  return (*impl_->find(specs, key, arguments, build))(arguments, at);
}

ConcreteRef TracedFunctionCore::concrete(const std::vector<ArgumentSpec>& specs,
                                         const std::string& key, const Build& build) {
  return impl_->find(specs, key, {}, build);
}

}  // namespace rill
