#include "rill/ops/nn/epilogue/epilogue_shape.h"

namespace rill {
namespace {

struct EpilogueStep {
  const char* name;
  int args;
};
constexpr EpilogueStep kEpilogueSteps[] = {
    {"BiasAdd", 1}, {"Mul", 1},     {"FusedBatchNorm", 4}, {"Add", 1},
    {"Relu", 0},    {"Relu6", 0},   {"LeakyRelu", 0},      {"Elu", 0},
    {"Tanh", 0},    {"Sigmoid", 0}, {"GeluTanh", 0},       {"GeluErf", 0},
};

}  // namespace

int epilogue_arg_count(const std::string& step) {
  for (const EpilogueStep& known : kEpilogueSteps)
    if (step == known.name) return known.args;
  return -1;
}

PartialShape epilogue_shape(const ShapeCtx& c, PartialShape result, int first_arg) {
  int arg = first_arg;
  for (const std::string& step : c.attr<std::vector<std::string>>("epilogue")) {
    const int count = epilogue_arg_count(step);
    if (count < 0) raise(Code::kUnimplemented, "nothing is known to do for '", step, "'");
    require(arg + count <= c.input_count(), step, " needs ", count, " arguments");
    if (step == "Add") {
      result = broadcast(result, c.input(arg++));
      continue;
    }
    const std::int64_t channels = result.has_rank() ? result.dim(result.rank() - 1) : kUnknownDim;
    for (const int end = arg + count; arg < end; ++arg) {
      const std::int64_t size = c.vector(arg).dim(0);
      require(compatible(size, channels), "argument ", arg - first_arg, " has ", size,
              " elements where there are ", channels, " channels");
    }
  }
  require(arg == c.input_count(), "there are ", c.input_count() - arg, " arguments too many");
  return result;
}

}  // namespace rill
