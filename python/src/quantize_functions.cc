// tf.quantization, and functions of arrays whose arguments have older names.
#include "array_functions.h"
#include "errors.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/quantize.h"

namespace rill::python {
namespace {

nb::object quantize(const Call& call) {
  static nb::object& result_type =
      *new nb::object(nb::module_::import_("collections")
                          .attr("namedtuple")("QuantizeV2", "output output_min output_max"));
  const auto made = raw::QuantizeV2(
      call.input("input"), call.input("min_range"), call.input("max_range"), call.dtype("T"),
      {.mode = call.text("mode"), .round_mode = call.text("round_mode"), .name = call.name()});
  return result_type(give(made.output), give(made.output_min), give(made.output_max));
}

const Function kFunctions[] = {
    {"quantization.quantize(input, min_range, max_range, T, mode='MIN_COMBINED', "
     "round_mode='HALF_AWAY_FROM_ZERO', name=None)",
     quantize, "Floats as integers of a range."},
    {"quantize_v2(input, min_range, max_range, T, mode='MIN_COMBINED', name=None, "
     "round_mode='HALF_AWAY_FROM_ZERO')",
     quantize, "Floats as integers of a range."},
    {"quantization.quantize_and_dequantize(input, input_min, input_max, signed_input=True, "
     "num_bits=8, range_given=False, round_mode='HALF_TO_EVEN', name=None, narrow_range=False)",
     [](const Call& call) {
       return give(raw::QuantizeAndDequantizeV2(call.input("input"), call.input("input_min"),
                                                call.input("input_max"),
                                                {.signed_input = call.flag("signed_input"),
                                                 .num_bits = call.integer("num_bits"),
                                                 .range_given = call.flag("range_given"),
                                                 .round_mode = call.text("round_mode"),
                                                 .name = call.name()}));
     },
     "Floats with the precision that integers of a range have."},
    {"reverse_sequence(input, seq_lengths, seq_axis=None, batch_axis=None, name=None, "
     "seq_dim=None, batch_dim=None)",
     [](const Call& call) {
       const nb::handle seq = either(call, "seq_axis", "seq_dim");
       const nb::handle batch = either(call, "batch_axis", "batch_dim");
       if (seq.is_none()) value_error("seq_axis must be given");
       return give(raw::ReverseSequence(
           call.input("input"), call.input("seq_lengths"), integers(seq).at(0),
           {.batch_dim = batch.is_none() ? 0 : integers(batch).at(0), .name = call.name()}));
     },
     "Sequences with their first elements in reverse order."},
    {"image.extract_image_patches(images, ksizes=None, strides=None, rates=None, padding=None, "
     "name=None, sizes=None)",
     [](const Call& call) {
       return give(raw::ExtractImagePatches(call.input("images"),
                                            integers(either(call, "sizes", "ksizes")),
                                            integers(call["strides"]), integers(call["rates"]),
                                            call.text("padding"), {.name = call.name()}));
     },
     "What a window sees at each of its places."},
};

}  // namespace

void bind_quantize_functions() { add_functions(kFunctions); }

}  // namespace rill::python
