#include "rnn.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "plain_values.h"
#include "python_cell.h"
#include "rill/api/rnn/dynamic_rnn.h"
#include "rill/api/rnn/raw_rnn.h"
#include "rill/api/rnn/static_rnn.h"

namespace rill::python {
namespace {

class PythonSaver : public nn::StateSaver {
 public:
  explicit PythonSaver(nb::object saver) : saver_(std::move(saver)) {}
  Output state(const std::string& name) override { return tensor_of(saver_.attr("state")(name)); }
  Node& save_state(const std::string& name, Output value) override {
    const nb::object saved = saver_.attr("save_state")(name, python::give(value));
    if (is_operation(saved)) return operation_object(saved).node();
    return *tensor_of(saved).node;
  }

 private:
  nb::object saver_;
};

int parallel_iterations(const nb::dict& options) {
  const nb::object given = option(options, "parallel_iterations");
  return given.is_none() || !truth_of(given) ? 32 : small_integer_of(given);
}

bool flag(const nb::dict& options, const char* name) { return truth_of(option(options, name)); }

// What all networks are told.
template <class Options>
Options rnn_options(const nb::dict& given) {
  Options o;
  o.sequence_length = optional_input(option(given, "sequence_length"), "sequence_length");
  o.scope = scope_choice_of(option(given, "scope"));
  return o;
}

nb::object give_network(const nn::DynamicRnn& network) {
  return nb::make_tuple(give(network.outputs), give(network.state));
}

nb::object py_dynamic_rnn(nb::object cell, nb::object inputs, const nb::dict& options) {
  PyObject* const seen[] = {inputs.ptr()};
  const InCallersPlace place(seen);
  return building([&] {
    auto o = rnn_options<nn::DynamicRnnOptions>(options);
    o.initial_state = optional_inputs(option(options, "initial_state"), "state");
    o.dtype = optional_dtype(option(options, "dtype"));
    o.parallel_iterations = parallel_iterations(options);
    o.swap_memory = flag(options, "swap_memory");
    o.time_major = flag(options, "time_major");
    PythonCell flat(cell);
    return give_network(nn::dynamic_rnn(flat, input_list(inputs, "Const"), o));
  });
}

nb::object py_bidirectional(nb::object cell_fw, nb::object cell_bw, nb::object inputs,
                            const nb::dict& options) {
  PyObject* const seen[] = {inputs.ptr()};
  const InCallersPlace place(seen);
  return building([&] {
    auto o = rnn_options<nn::BidirectionalDynamicRnnOptions>(options);
    o.initial_state_fw = optional_inputs(option(options, "initial_state_fw"), "state");
    o.initial_state_bw = optional_inputs(option(options, "initial_state_bw"), "state");
    o.dtype = optional_dtype(option(options, "dtype"));
    o.parallel_iterations = parallel_iterations(options);
    o.swap_memory = flag(options, "swap_memory");
    o.time_major = flag(options, "time_major");
    PythonCell forward(cell_fw), backward(cell_bw);
    const auto [fw, bw] =
        nn::bidirectional_dynamic_rnn(forward, backward, input_list(inputs, "Const"), o);
    return nb::make_tuple(give_network(fw), give_network(bw));
  });
}

nn::StepInputs step_inputs(nb::handle steps) {
  nn::StepInputs inputs;
  for (nb::handle step : steps) inputs.push_back(input_list(step, "Const"));
  return inputs;
}

nb::list give_step_outputs(const nn::StepOutputs& outputs) {
  nb::list steps;
  for (const std::vector<Output>& step : outputs) steps.append(give(step));
  return steps;
}

nb::object py_static_rnn(nb::object cell, nb::object inputs, const nb::dict& options) {
  PyObject* const seen[] = {inputs.ptr()};
  const InCallersPlace place(seen);
  return building([&]() -> nb::object {
    auto o = rnn_options<nn::StaticRnnOptions>(options);
    o.initial_state = optional_inputs(option(options, "initial_state"), "state");
    o.dtype = optional_dtype(option(options, "dtype"));
    PythonCell flat(cell);
    const nn::StaticRnn network = nn::static_rnn(flat, step_inputs(inputs), o);
    return nb::make_tuple(give_step_outputs(network.outputs), give(network.state));
  });
}

nb::object py_state_saving(nb::object cell, nb::object inputs, nb::object saver,
                           const std::vector<std::string>& names, const nb::dict& options) {
  PyObject* const seen[] = {inputs.ptr()};
  const InCallersPlace place(seen);
  return building([&]() -> nb::object {
    const auto o = rnn_options<nn::StaticStateSavingRnnOptions>(options);
    PythonCell flat(cell);
    PythonSaver states(saver);
    const nn::StaticRnn network =
        nn::static_state_saving_rnn(flat, step_inputs(inputs), states, names, o);
    return nb::make_tuple(give_step_outputs(network.outputs), give(network.state));
  });
}

nb::object py_static_bidirectional(nb::object cell_fw, nb::object cell_bw, nb::object inputs,
                                   const nb::dict& options) {
  PyObject* const seen[] = {inputs.ptr()};
  const InCallersPlace place(seen);
  return building([&]() -> nb::object {
    auto o = rnn_options<nn::StaticBidirectionalRnnOptions>(options);
    o.initial_state_fw = optional_inputs(option(options, "initial_state_fw"), "state");
    o.initial_state_bw = optional_inputs(option(options, "initial_state_bw"), "state");
    o.dtype = optional_dtype(option(options, "dtype"));
    PythonCell forward(cell_fw), backward(cell_bw);
    const nn::StaticBidirectionalRnn network =
        nn::static_bidirectional_rnn(forward, backward, step_inputs(inputs), o);
    return nb::make_tuple(give_step_outputs(network.outputs), give(network.state_fw),
                          give(network.state_bw));
  });
}

// --- raw_rnn
// ---------------------------------------------------------------------------------------

nb::object list_or_none(const std::vector<Output>* tensors) {
  return tensors == nullptr ? nb::object(nb::none()) : give(*tensors);
}

std::optional<std::vector<Output>> optional_tensors(nb::handle list) {
  if (list.is_none()) return {};
  return tensor_list(list);
}

nb::object py_raw_rnn(nb::object cell, nb::object loop_fn, const nb::dict& options) {
  const InCallersPlace place({});
  return building([&]() -> nb::object {
    const nn::RawRnnFn next = [&](const nn::RawRnnNow& now) {
      const nb::object answer = loop_fn(give(now.time), list_or_none(now.output),
                                        list_or_none(now.state), list_or_none(now.loop_state));
      return nn::RawRnnNext{tensor_of(answer[0]), tensor_list(answer[1]), tensor_list(answer[2]),
                            optional_tensors(answer[3]), optional_tensors(answer[4])};
    };
    nn::RawRnnOptions o;
    o.parallel_iterations = parallel_iterations(options);
    o.swap_memory = flag(options, "swap_memory");
    o.scope = scope_choice_of(option(options, "scope"));
    PythonCell flat(cell);
    const nn::RawRnn network = nn::raw_rnn(flat, next, o);
    nb::list arrays;
    const bool eagerly = executing_eagerly();  // there are elements, and no handle
    for (const TensorArray& array : network.emitted)
      arrays.append(nb::make_tuple(
          dtype_object(array.dtype()), eagerly ? nb::object(nb::none()) : give(array.handle()),
          give(eagerly ? array.stack() : array.flow()), shape_object(array.element_shape())));
    const std::vector<Output>* loop_state = network.loop_state ? &*network.loop_state : nullptr;
    return nb::make_tuple(arrays, give(network.state), list_or_none(loop_state));
  });
}

}  // namespace

void bind_rnn(nb::module_& m) {
  m.def("dynamic_rnn", py_dynamic_rnn);
  m.def("bidirectional_dynamic_rnn", py_bidirectional);
  m.def("static_rnn", py_static_rnn);
  m.def("static_state_saving_rnn", py_state_saving);
  m.def("static_bidirectional_rnn", py_static_bidirectional);
  m.def("raw_rnn", py_raw_rnn);
}

}  // namespace rill::python
