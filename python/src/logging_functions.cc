#include "logging_functions.h"

#include <nanobind/stl/string.h>

#include "class_call.h"
#include "rill/api/logging/print.h"

namespace rill::python {
namespace {

std::optional<int> optional_int(const Call& call, const char* name) {
  if (!call.has(name)) return {};
  return static_cast<int>(call.integer(name));
}

constexpr Function kFunctions[] = {
    {"Print(input_, data, message=None, first_n=None, summarize=None, name=None)",
     [](const Call& call) {
       return give(Print(call.input("input_"), call.inputs("data"),
                         {.message = call.text("message"),
                          .first_n = optional_int(call, "first_n"),
                          .summarize = optional_int(call, "summarize"),
                          .name = call.name()}));
     },
     "The input; writes data to standard error as it passes."},
    {"timestamp(name=None)", [](const Call& call) { return give(timestamp({call.name()})); },
     "The seconds since the Unix epoch when it runs."},
};

}  // namespace

void bind_logging(nb::module_& m) {
  m.def("placeholder_for", placeholder_for);
  m.def("print_formatted", [](const std::string& text, nb::object tensors,
                              const std::string& placeholder, const std::string& stream,
                              int summarize, const std::string& end, const std::string& name) {
    return built({tensors}, [&]() -> Node& {
      return print_formatted(
          text, input_list(tensors, "inputs"), placeholder,
          {.output_stream = stream, .summarize = summarize, .end = end, .name = name});
    });
  });
  add_functions(kFunctions);
}

}  // namespace rill::python
