#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>

#include "plain_values.h"
#include "rill/api/rnn/attention_cell.h"
#include "rill/api/rnn/cell_dropout.h"
#include "rill/api/rnn/contrib_recurrences.h"
#include "rill/api/rnn/fused_lstm.h"
#include "rill/api/rnn/linear.h"
#include "rill/api/rnn/recurrence.h"
#include "rill/api/rnn/rnn_parts.h"
#include "rill/graph/executed_node.h"
#include "rnn.h"
#include "rnn_values.h"

namespace rill::python {
namespace {

using nn::rnn_cell::Activation;
using nn::rnn_cell::CellDropout;
using nn::rnn_cell::RecurrenceRef;

template <class T>
T value_or(const nb::dict& options, const char* name, T otherwise) {
  const nb::object value = option(options, name);
  return value.is_none() ? otherwise : plain_value<T>(value);
}

template <class T>
std::optional<T> optional_value(const nb::dict& options, const char* name) {
  const nb::object value = option(options, name);
  return value.is_none() ? std::optional<T>() : std::optional<T>(plain_value<T>(value));
}

Activation activation_of(const nb::dict& options) {
  return function_of(option(options, "activation"));
}

// --- kinds of cells ------------------------------------------------------------------------------

using MakeRecurrence = RecurrenceRef (*)(std::int64_t num_units, const nb::dict& options);

RecurrenceRef make_basic_lstm(std::int64_t units, const nb::dict& o) {
  return nn::rnn_cell::basic_lstm(units, {value_or(o, "forget_bias", 1.0),
                                          value_or(o, "state_is_tuple", true), activation_of(o)});
}

RecurrenceRef make_lstm(std::int64_t units, const nb::dict& o) {
  nn::rnn_cell::LstmForm form;
  form.use_peepholes = value_or(o, "use_peepholes", false);
  form.cell_clip = optional_value<double>(o, "cell_clip");
  form.num_proj = optional_value<std::int64_t>(o, "num_proj");
  form.proj_clip = optional_value<double>(o, "proj_clip");
  form.num_unit_shards = value_or(o, "num_unit_shards", 0);
  form.num_proj_shards = value_or(o, "num_proj_shards", 0);
  form.forget_bias = value_or(o, "forget_bias", 1.0);
  form.state_is_tuple = value_or(o, "state_is_tuple", true);
  form.activation = activation_of(o);
  return nn::rnn_cell::lstm(units, form);
}

RecurrenceRef make_lstm_block(std::int64_t units, const nb::dict& o) {
  return nn::rnn_cell::lstm_block(
      units, {value_or(o, "forget_bias", 1.0), optional_value<double>(o, "cell_clip"),
              value_or(o, "use_peephole", false)});
}

RecurrenceRef make_layer_norm_lstm(std::int64_t units, const nb::dict& o) {
  return nn::rnn_cell::layer_norm_lstm(
      units, {value_or(o, "forget_bias", 1.0), activation_of(o), value_or(o, "layer_norm", true),
              value_or(o, "dropout_keep_prob", 1.0),
              optional_value<std::int64_t>(o, "dropout_prob_seed")});
}

RecurrenceRef make_coupled_lstm(std::int64_t units, const nb::dict& o) {
  return nn::rnn_cell::coupled_lstm(
      units, {value_or(o, "use_peepholes", false), optional_value<std::int64_t>(o, "num_proj"),
              optional_value<double>(o, "proj_clip"), value_or(o, "forget_bias", 1.0),
              value_or(o, "state_is_tuple", true), activation_of(o)});
}

RecurrenceRef make_conv_lstm(std::int64_t channels, const nb::dict& o) {
  const auto sizes = [&](const char* name) {
    return nb::cast<std::vector<std::int64_t>>(nb::list(option(o, name)));
  };
  return nn::rnn_cell::conv_lstm(
      {sizes("input_shape"), channels, sizes("kernel_shape"), value_or(o, "use_bias", true),
       value_or(o, "skip_connection", false), value_or(o, "forget_bias", 1.0)});
}

const std::map<std::string, MakeRecurrence>& recurrence_kinds() {
  static const auto& all = *new std::map<std::string, MakeRecurrence>{
      {"basic_rnn",
       [](std::int64_t units, const nb::dict& o) {
         return nn::rnn_cell::basic_rnn(units, activation_of(o));
       }},
      {"gru", [](std::int64_t units,
                 const nb::dict& o) { return nn::rnn_cell::gru(units, activation_of(o)); }},
      {"basic_lstm", make_basic_lstm},
      {"lstm", make_lstm},
      {"lstm_block", make_lstm_block},
      {"gru_block",
       [](std::int64_t units, const nb::dict& o) {
         return nn::rnn_cell::gru_block(units, value_or(o, "second_names", true));
       }},
      {"layer_norm_lstm", make_layer_norm_lstm},
      {"ugrnn",
       [](std::int64_t units, const nb::dict& o) {
         return nn::rnn_cell::ugrnn(units, value_or(o, "forget_bias", 1.0), activation_of(o));
       }},
      {"coupled_lstm", make_coupled_lstm},
      {"conv_lstm", make_conv_lstm},
      {"nas",
       [](std::int64_t units, const nb::dict& o) {
         return nn::rnn_cell::nas(
             units, {optional_value<std::int64_t>(o, "num_proj"), value_or(o, "use_bias", false)});
       }},
  };
  return all;
}

struct RecurrenceObject {
  RecurrenceRef recurrence;
};

// Variables are read by the nodes that use them; parts of variables are put together there.
Input weight_input(nb::handle weight) {
  if (!nb::hasattr(weight, "as_tensor")) return input_of(weight, DType::invalid, "", "weight");
  return Input(Input::MakeOutput([held = keep(weight)](Scope&, std::string_view, DType) {
    return tensor_of(kept(held).attr("as_tensor")());
  }));
}

nb::list weight_rows(const RecurrenceObject& o, std::int64_t depth) {
  nb::list rows;
  for (const nn::rnn_cell::CellWeight& weight : o.recurrence->weights(depth))
    rows.append(nb::make_tuple(weight.name, shape_object(weight.shape),
                               static_cast<int>(weight.start), weight.shards));
  return rows;
}

nb::object recurrence_step(const RecurrenceObject& o, nb::handle input, nb::handle state,
                           nb::handle weights) {
  PyObject* const seen[] = {input.ptr(), state.ptr()};
  const InCallersPlace place(seen);
  return building([&] {
    std::vector<Input> inputs;
    for (nb::handle weight : weights) inputs.push_back(weight_input(weight));
    return give(o.recurrence->step(tensor_of(input), tensor_list(state), inputs));
  });
}

// Whether it is numbers that a step takes as they are.
bool is_plain_value(nb::handle value) {
  if (Py_TYPE(value.ptr()) != eager_tensor_type) return false;
  const Output& output = tensor_object(value).output;
  return kFloatTypes.contains(base_type(output.dtype())) && output.value().rank() == 2 &&
         executed(*output.node).mask(output.index).node == nullptr;
}

// One step of a cell that is there, of values: the output and the list of states. None where the
// call is another one.
nb::object step_now(const RecurrenceObject& o, nb::handle input, nb::handle state,
                    nb::handle weights) {
  if (!executing_eagerly() || !is_plain_value(input)) return nb::none();
  std::vector<Output> states;
  const auto add = [&](nb::handle part) {
    if (!is_plain_value(part)) return false;
    states.push_back(tensor_object(part).output);
    return true;
  };
  if (PyTuple_Check(state.ptr())) {
    for (nb::handle part : nb::borrow<nb::tuple>(state))
      if (!add(part)) return nb::none();
  } else if (!add(state)) {
    return nb::none();
  }
  if (states.size() != o.recurrence->state_size().size()) return nb::none();
  PyObject* const seen[] = {input.ptr()};
  const InCallersPlace place(seen);
  return building([&]() -> nb::object {
    std::vector<Input> inputs;
    for (nb::handle weight : weights) inputs.push_back(weight_input(weight));
    const auto [output, next] = o.recurrence->step(tensor_object(input).output, states, inputs);
    return nb::make_tuple(give(output), give(next));
  });
}

// An LSTM over all steps: outputs, and a list of c and h.
nb::object fused_lstm(nb::handle inputs, nb::handle state, nb::handle lengths,
                      std::int64_t num_units, nb::handle weights, const nb::dict& options) {
  PyObject* const seen[] = {inputs.ptr()};
  const InCallersPlace place(seen);
  return building([&]() -> nb::object {
    std::vector<Input> all;
    for (nb::handle weight : weights) all.push_back(weight_input(weight));
    std::optional<nn::rnn_cell::State> first;
    if (!state.is_none()) first = tensor_list(state);
    const contrib::rnn::FusedRnn network = contrib::rnn::fused_lstm(
        tensor_of(inputs), first, optional_input(lengths, "sequence_length"), num_units, all,
        {value_or(options, "forget_bias", 1.0), optional_value<double>(options, "cell_clip"),
         value_or(options, "use_peephole", false)});
    return nb::make_tuple(give(network.outputs), give(network.state));
  });
}

// --- dropout -------------------------------------------------------------------------------------

struct DropoutObject {
  std::unique_ptr<CellDropout> dropout;
};

void init_dropout(DropoutObject* self, const nb::dict& options, nb::handle state,
                  nb::handle output) {
  new (self) DropoutObject();
  nn::rnn_cell::DropoutForm form;
  const auto keep = [&](const char* name) {
    return input_of(option(options, name), DType::invalid, "", "Const");
  };
  form.input_keep_prob = keep("input_keep_prob");
  form.output_keep_prob = keep("output_keep_prob");
  form.state_keep_prob = keep("state_keep_prob");
  form.variational_recurrent = value_or(options, "variational_recurrent", false);
  if (!option(options, "input_size").is_none())
    form.input_size = cell_sizes_of(option(options, "input_size"));
  form.dtype = optional_dtype(option(options, "dtype"));
  form.seed = optional_value<std::int64_t>(options, "seed");
  const InCallersPlace place({});
  building([&] {
    self->dropout =
        std::make_unique<CellDropout>(form, cell_sizes_of(state), cell_sizes_of(output));
  });
}

nb::object keep_prob(const DropoutObject& o, int part) {
  const auto which = static_cast<CellDropout::Part>(part);
  if (const auto& number = o.dropout->known(which)) return nb::float_(*number);
  return give(o.dropout->tensor(which));
}

}  // namespace

void bind_rnn_cells(nb::module_& m) {
  nb::class_<RecurrenceObject> c(m, "Recurrence");
  c.def("__init__", [](RecurrenceObject* self, const std::string& kind, std::int64_t num_units,
                       const nb::dict& options) {
    new (self) RecurrenceObject();
    building([&] { self->recurrence = recurrence_kinds().at(kind)(num_units, options); });
  });
  c.def("state_size",
        [](RecurrenceObject& o) { return shape_objects(o.recurrence->state_size()); });
  c.def("output_size",
        [](RecurrenceObject& o) { return shape_object(o.recurrence->output_size()); });
  c.def("weights", weight_rows);
  c.def("step", recurrence_step);
  c.def("step_now", step_now);

  m.def("fused_lstm", fused_lstm, nb::arg("inputs"), nb::arg("state").none(),
        nb::arg("lengths").none(), nb::arg("num_units"), nb::arg("weights"), nb::arg("options"));

  nb::class_<DropoutObject> d(m, "CellDropout");
  d.def("__init__", init_dropout);
  d.def("drops", [](DropoutObject& o, int part) {
    return o.dropout->drops(static_cast<CellDropout::Part>(part));
  });
  d.def("keep_prob", keep_prob);
  d.def("drop", [](DropoutObject& o, int part, nb::object value, std::size_t index,
                   std::size_t noise) {
    return built({value}, [&] {
      return o.dropout->drop(static_cast<CellDropout::Part>(part), tensor_of(value), index, noise);
    });
  });

  m.def(
      "rnn_linear",
      [](nb::handle tensors, std::int64_t size, nb::handle activation) {
        PyObject* const seen[] = {tensors.ptr()};
        const InCallersPlace place(seen);
        return building([&] {
          return give(contrib::rnn::linear(tensor_list(tensors), size, function_of(activation)));
        });
      },
      nb::arg("tensors"), nb::arg("size"), nb::arg("activation").none());
  m.def("rnn_look_back", [](nb::handle query, nb::handle memory, std::int64_t vector_size) {
    PyObject* const seen[] = {memory.ptr()};
    const InCallersPlace place(seen);
    return building([&] {
      return give(contrib::rnn::look_back(tensor_list(query), tensor_of(memory), vector_size));
    });
  });
  m.def("rnn_remembered", [](nb::handle memory, nb::handle newest) {
    PyObject* const seen[] = {memory.ptr()};
    const InCallersPlace place(seen);
    return building(
        [&] { return give(contrib::rnn::remembered(tensor_of(memory), tensor_of(newest))); });
  });

  m.def("cell_zero_state",
        [](nb::handle sizes, nb::object batch_size, nb::handle dtype, const std::string& name) {
          return built({batch_size}, [&] {
            const Block named("", name, std::source_location::current());
            return nn::zero_tensors(cell_sizes_of(sizes), batch_size_of(batch_size),
                                    base_type(as_dtype(dtype)));
          });
        });
}

}  // namespace rill::python
