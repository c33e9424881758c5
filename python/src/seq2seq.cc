#include "seq2seq.h"

#include <nanobind/stl/string.h>

#include "in_place.h"
#include "plain_values.h"
#include "python_cell.h"
#include "rill/api/seq2seq/attention.h"
#include "rill/api/seq2seq/basic_decoder.h"
#include "rill/api/seq2seq/beam_search.h"
#include "rill/api/seq2seq/sequence_loss.h"

namespace rill::python {
namespace {

// A decoder of Python: an object that takes structures apart and packs them (rill/_seq2seq.py).
class PythonDecoder : public contrib::seq2seq::Decoder {
 public:
  explicit PythonDecoder(nb::object flat) : flat_(std::move(flat)) {}

  nn::BatchSize batch_size() override { return batch_size_of(flat_.attr("batch_size")()); }
  nn::rnn_cell::Sizes output_sizes() const override {
    return cell_sizes_of(flat_.attr("output_sizes")());
  }
  std::vector<DType> output_dtypes() const override {
    return dtype_list(flat_.attr("output_dtypes")());
  }
  contrib::seq2seq::DecoderStart initialize() override {
    const nb::object start = flat_.attr("initialize")();
    return {tensor_of(start[0]), tensor_list(start[1]), tensor_list(start[2])};
  }
  contrib::seq2seq::DecoderStep step(Output time, const std::vector<Output>& inputs,
                                     const nn::rnn_cell::State& state) override {
    const nb::object step = flat_.attr("step")(give(time), give(inputs), give(state));
    return {tensor_list(step[0]), tensor_list(step[1]), tensor_list(step[2]), tensor_of(step[3])};
  }
  bool tracks_own_finished() const override {
    return truth_of(flat_.attr("tracks_own_finished")());
  }
  Output lengths_of(const nn::rnn_cell::State& state) override {
    const nb::object lengths = flat_.attr("lengths_of")(give(state));
    return lengths.is_none() ? Output() : tensor_of(lengths);
  }
  void finalize(std::vector<Output>& outputs, nn::rnn_cell::State& state, Output lengths) override {
    const nb::object changed = flat_.attr("finalize")(give(outputs), give(state), give(lengths));
    if (changed.is_none()) return;
    outputs = tensor_list(changed[0]);
    state = tensor_list(changed[1]);
  }

 private:
  nb::object flat_;
};

nb::object py_dynamic_decode(nb::object decoder, const nb::dict& options) {
  return in_place(nb::none(), [&]() -> nb::object {
    contrib::seq2seq::DynamicDecodeOptions o;
    const auto flag = [&](const char* name) { return truth_of(option(options, name)); };
    o.output_time_major = flag("output_time_major");
    o.impute_finished = flag("impute_finished");
    o.maximum_iterations =
        optional_input(option(options, "maximum_iterations"), "maximum_iterations");
    o.parallel_iterations = small_integer_of(option(options, "parallel_iterations"));
    o.swap_memory = flag("swap_memory");
    o.scope = scope_choice_of(option(options, "scope"));
    PythonDecoder flat(decoder);
    const contrib::seq2seq::Decoded decoded = contrib::seq2seq::dynamic_decode(flat, o);
    return nb::make_tuple(give(decoded.outputs), give(decoded.state), give(decoded.lengths));
  });
}

// --- helpers -------------------------------------------------------------------------------------

struct HelperObject {
  std::unique_ptr<contrib::seq2seq::Helper> helper;
};

nb::object give_start(const contrib::seq2seq::HelperStart& start) {
  return nb::make_tuple(give(start.finished), give(start.inputs));
}

nb::object training_helper(nb::handle inputs, nb::handle lengths, bool time_major) {
  return in_place(inputs, [&] {
    return nb::cast(HelperObject{std::make_unique<contrib::seq2seq::TrainingHelper>(
        input_list(inputs, "inputs"), *optional_input(lengths, "sequence_length"), time_major)});
  });
}

nb::object embedding_helper(nb::object embedding, nb::handle start_tokens, nb::handle end_token,
                            bool samples, nb::handle temperature, nb::handle seed) {
  return in_place(start_tokens, [&] {
    std::optional<contrib::seq2seq::EmbeddingHelper::Sampling> sampling;
    if (samples) {
      sampling.emplace();
      sampling->softmax_temperature = optional_input(temperature, "softmax_temperature");
      if (!seed.is_none()) sampling->seed = integer_of(seed);
    }
    const contrib::seq2seq::Embedding rows = function_of(embedding);
    return nb::cast(HelperObject{std::make_unique<contrib::seq2seq::EmbeddingHelper>(
        rows, *optional_input(start_tokens, "start_tokens"),
        *optional_input(end_token, "end_token"), sampling)});
  });
}

nb::object scheduled_helper(nb::handle inputs, nb::handle lengths, nb::object embedding,
                            nb::handle probability, bool time_major, nb::handle seed,
                            nb::handle scheduling_seed) {
  return in_place(inputs, [&] {
    contrib::seq2seq::ScheduledEmbeddingTrainingHelper::Schedule schedule;
    schedule.sampling_probability = *optional_input(probability, "sampling_probability");
    if (!seed.is_none()) schedule.seed = integer_of(seed);
    if (!scheduling_seed.is_none()) schedule.scheduling_seed = integer_of(scheduling_seed);
    return nb::cast(
        HelperObject{std::make_unique<contrib::seq2seq::ScheduledEmbeddingTrainingHelper>(
            *optional_input(inputs, "inputs"), *optional_input(lengths, "sequence_length"),
            function_of(embedding), schedule, time_major)});
  });
}

void bind_helpers(nb::module_& m) {
  nb::class_<HelperObject> c(m, "DecodingHelper");
  c.def("batch_size", [](HelperObject& o) { return give(o.helper->batch_size()); });
  c.def("initialize", [](HelperObject& o) {
    return in_place(nb::none(), [&] { return give_start(o.helper->initialize()); });
  });
  c.def("sample", [](HelperObject& o, nb::handle time, nb::handle outputs) {
    return in_place(outputs,
                    [&] { return give(o.helper->sample(tensor_of(time), tensor_list(outputs))); });
  });
  c.def("next_inputs", [](HelperObject& o, nb::handle time, nb::handle ids) {
    return in_place(
        ids, [&] { return give_start(o.helper->next_inputs(tensor_of(time), tensor_of(ids))); });
  });
  m.def("training_helper", training_helper);
  m.def("scheduled_helper", scheduled_helper, nb::arg("inputs"), nb::arg("lengths"),
        nb::arg("embedding"), nb::arg("probability"), nb::arg("time_major"), nb::arg("seed").none(),
        nb::arg("scheduling_seed").none());
  m.def("embedding_helper", embedding_helper, nb::arg("embedding"), nb::arg("start_tokens"),
        nb::arg("end_token"), nb::arg("samples"), nb::arg("temperature").none(),
        nb::arg("seed").none());
}

// --- beams ---------------------------------------------------------------------------------------

struct BeamObject {
  std::unique_ptr<PythonCell> cell;
  std::unique_ptr<contrib::seq2seq::BeamSearchDecoder> decoder;
};

nb::object make_beam_search(nb::object cell, nb::object embedding, nb::handle start_tokens,
                            nb::handle end_token, nb::handle state, std::int64_t beam_width,
                            nb::handle output_layer, double length_penalty_weight) {
  return in_place(start_tokens, [&] {
    BeamObject made;
    made.cell = std::make_unique<PythonCell>(cell);
    made.decoder = std::make_unique<contrib::seq2seq::BeamSearchDecoder>(
        *made.cell, function_of(embedding), *optional_input(start_tokens, "start_tokens"),
        *optional_input(end_token, "end_token"), tensor_list(state), beam_width,
        contrib::seq2seq::BeamSearchOptions{function_of(output_layer), length_penalty_weight});
    return nb::cast(std::move(made));
  });
}

void bind_beams(nb::module_& m) {
  nb::class_<BeamObject> c(m, "BeamSearch");
  c.def("batch_size", [](BeamObject& o) { return give(o.decoder->batch_size()); });
  c.def("initialize", [](BeamObject& o) {
    return in_place(nb::none(), [&] {
      const contrib::seq2seq::DecoderStart start = o.decoder->initialize();
      return nb::make_tuple(give(start.finished), give(start.inputs), give(start.state));
    });
  });
  c.def("step", [](BeamObject& o, nb::handle time, nb::handle inputs, nb::handle state) {
    return in_place(state, [&] {
      const contrib::seq2seq::DecoderStep step =
          o.decoder->step(tensor_of(time), tensor_list(inputs), tensor_list(state));
      return nb::make_tuple(give(step.outputs), give(step.state), give(step.inputs),
                            give(step.finished));
    });
  });
  c.def("finalize", [](BeamObject& o, nb::handle outputs, nb::handle state, nb::handle lengths) {
    return in_place(outputs, [&] {
      std::vector<Output> all = tensor_list(outputs);
      nn::rnn_cell::State last = tensor_list(state);
      o.decoder->finalize(all, last, tensor_of(lengths));
      return give(all);
    });
  });
  m.def("beam_search", make_beam_search, nb::arg("cell"), nb::arg("embedding"),
        nb::arg("start_tokens"), nb::arg("end_token"), nb::arg("state"), nb::arg("beam_width"),
        nb::arg("output_layer").none(), nb::arg("length_penalty_weight"));
  m.def("gather_tree", [](nb::handle ids, nb::handle parents, nb::handle lengths, nb::handle end) {
    return in_place(ids, [&] {
      return give(contrib::seq2seq::gather_tree(
          *optional_input(ids, "step_ids"), *optional_input(parents, "parent_ids"),
          *optional_input(lengths, "max_sequence_lengths"), *optional_input(end, "end_token")));
    });
  });
}

// --- losses and attention ------------------------------------------------------------------------

nb::object py_sequence_loss(nb::handle logits, nb::handle targets, nb::handle weights,
                            const nb::dict& options) {
  return in_place(logits, [&] {
    contrib::seq2seq::SequenceLossOptions o;
    const auto flag = [&](const char* name) { return truth_of(option(options, name)); };
    o.average_across_timesteps = flag("average_across_timesteps");
    o.average_across_batch = flag("average_across_batch");
    o.sum_over_timesteps = flag("sum_over_timesteps");
    o.sum_over_batch = flag("sum_over_batch");
    if (const nb::object loss = option(options, "softmax_loss_function"); !loss.is_none())
      o.softmax_loss_function = [held = keep(loss)](Output labels, Output rows) {
        return tensor_of(
            kept(held)(nb::arg("labels") = give(labels), nb::arg("logits") = give(rows)));
      };
    o.name = text_or_empty(option(options, "name"));
    return give(contrib::seq2seq::sequence_loss(*optional_input(logits, "logits"),
                                                *optional_input(targets, "targets"),
                                                *optional_input(weights, "weights"), o));
  });
}

void bind_attention(nb::module_& m) {
  m.def(
      "masked_memory",
      [](nb::handle memory, nb::handle lengths) {
        return in_place(memory, [&] {
          return give(contrib::seq2seq::masked_memory(tensor_of(memory, "memory"),
                                                      optional_input(lengths, "lengths")));
        });
      },
      nb::arg("memory"), nb::arg("lengths").none());
  m.def(
      "luong_score",
      [](nb::handle query, nb::handle keys, nb::handle scale) {
        return in_place(query, [&] {
          return give(contrib::seq2seq::luong_score(tensor_of(query), tensor_of(keys),
                                                    optional_input(scale, "g")));
        });
      },
      nb::arg("query"), nb::arg("keys"), nb::arg("scale").none());
  m.def(
      "bahdanau_score",
      [](nb::handle query, nb::handle keys, nb::handle v, nb::handle g, nb::handle b) {
        return in_place(query, [&] {
          return give(contrib::seq2seq::bahdanau_score(
              tensor_of(query), tensor_of(keys), *optional_input(v, "v"), optional_input(g, "g"),
              optional_input(b, "b")));
        });
      },
      nb::arg("query"), nb::arg("keys"), nb::arg("v"), nb::arg("g").none(), nb::arg("b").none());
  m.def(
      "masked_score",
      [](nb::handle score, nb::handle lengths, double mask_value) {
        return in_place(score, [&] {
          return give(contrib::seq2seq::masked_score(
              tensor_of(score), optional_input(lengths, "lengths"), mask_value));
        });
      },
      nb::arg("score"), nb::arg("lengths").none(), nb::arg("mask_value"));
  m.def("attended", [](nb::handle alignments, nb::handle values) {
    return in_place(alignments, [&] {
      return give(contrib::seq2seq::attended(tensor_of(alignments), tensor_of(values)));
    });
  });
}

}  // namespace

void bind_seq2seq(nb::module_& m) {
  m.def("dynamic_decode", py_dynamic_decode);
  bind_helpers(m);
  bind_beams(m);
  m.def("sequence_loss", py_sequence_loss);
  m.def("tile_batch", [](nb::handle t, nb::handle multiplier, const std::string& name) {
    return in_place(t, [&] {
      return give(contrib::seq2seq::tile_batch(*optional_input(t, "t"),
                                               *optional_input(multiplier, "multiplier"), name));
    });
  });
  bind_attention(m);
  bind_legacy_seq2seq(m);
}

}  // namespace rill::python
