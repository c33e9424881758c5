#include "rill/base/background.h"
#include "rill/kernel/host_functions.h"
#include "rill/kernel/kernel_registry.h"
#include "rill/ops/script/gradient_token.h"

namespace rill {

extern const OpDecl kEagerPyFunc, kPyFunc, kPyFuncStateless;

namespace {

void check_results(const KernelCall& call, const std::string& token,
                   const std::vector<Tensor>& results) {
  const auto wanted = static_cast<std::size_t>(call.output_count());
  require(results.size() == wanted, token, " returns ", results.size(),
          " values, but expects to see ", wanted, " values.");
  for (std::size_t i = 0; i < wanted; ++i) {
    const DType expected = call.node().output_type(static_cast<int>(i));
    require(results[i].dtype() == expected, i, "-th value returned by ", token, " is ",
            results[i].dtype(), ", but expects ", expected);
  }
}

void py_func(KernelCall& call) {
  const std::string& token = call.node().attr<std::string>("token");
  const HostFunction function = is_gradient_token(token) ? find_host_gradient(function_token(token))
                                                         : find_host_function(token);
  require(static_cast<bool>(function), "callback ", token, " is not found");
  std::vector<Tensor> arguments;
  for (int i = 0; i < call.input_count(); ++i) arguments.push_back(call.input_tensor(i));
  std::vector<Tensor> results = function(arguments);
  check_results(call, token, results);
  for (std::size_t i = 0; i < results.size(); ++i)
    call.set_output(static_cast<int>(i), std::move(results[i]));
}

// On a thread of its own: one function of the program may wait for another one of the same step.
void py_func_beside_others(KernelCall& call, Done done) {
  run_in_background([&call, done = std::move(done)] {
    std::exception_ptr error;
    try {
      py_func(call);
    } catch (...) {
      error = std::current_exception();
    }
    done(error);
  });
}

constexpr KernelEntry py_func_kernel(const OpDecl& op) {
  return {.op = &op, .run = py_func, .run_async = py_func_beside_others, .allocates = true};
}

const KernelEntry kEntries[] = {py_func_kernel(kPyFunc), py_func_kernel(kPyFuncStateless),
                                py_func_kernel(kEagerPyFunc)};

}  // namespace

extern const KernelTable kPyFuncCpu{.entries = kEntries};

}  // namespace rill
