#include "nn_functions.h"

#include "call.h"
#include "errors.h"
#include "rill/api/nn/softmax.h"

namespace rill::python {
namespace {

// `dim` is the older name of `axis`.
nn::SoftmaxOptions options_of(const Call& c) {
  if (c.has("axis") && c.has("dim")) value_error("Cannot specify both 'axis' and 'dim'");
  const char* given = c.has("dim") ? "dim" : "axis";
  return {.axis = static_cast<int>(c.optional_integer(given).value_or(-1)), .name = c.name()};
}

constexpr Function kFunctions[] = {
    {"nn.softmax(logits, axis=None, name=None, dim=None)",
     [](const Call& c) { return give(nn::softmax(c.input("logits"), options_of(c))); },
     "Positive numbers that add up to one along an axis."},
    {"nn.log_softmax(logits, axis=None, name=None, dim=None)",
     [](const Call& c) { return give(nn::log_softmax(c.input("logits"), options_of(c))); },
     "The logarithms of softmax."},
};

}  // namespace

void bind_nn_functions() { add_functions(kFunctions); }

}  // namespace rill::python
