// Elements picked out of tensors: tf.gather, tf.where, tf.sort, ...
#include "array_functions.h"
#include "errors.h"
#include "rill/api/array/diagonals.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/sorting.h"
#include "rill/api/sparse/edit_distance.h"
#include "sparse_tensors.h"
#include "variables.h"

namespace rill::python {
namespace {

bool is_resource_variable(nb::handle value) {
  return is_variable(value) && variable_object(value).variable.is_resource();
}

// None is as good as 0.
std::int64_t batch_dims_of(const Call& call) {
  return call.has("batch_dims") ? call.integer("batch_dims") : 0;
}

// What variables have for reading some of their rows.
nb::object sparse_read(const Call& call) {
  const nb::handle params = call["params"];
  const bool first_axis =
      !call.has("axis") || (is_count(call["axis"]) && call.integer("axis") == 0);
  if (!first_axis || batch_dims_of(call) != 0 || !is_resource_variable(params)) return {};
  return params.attr("sparse_read")(call["indices"], nb::arg("name") = call["name"]);
}

nb::object where_of(const Call& call, bool broadcasts) {
  const Input condition = call.input("condition");
  if (!call.has("x") && !call.has("y")) return give(where(condition, {.name = call.name()}));
  if (!call.has("x") || !call.has("y"))
    value_error("x and y must both be non-None or both be None.");
  const auto select = broadcasts ? where_v2 : static_cast<decltype(&where_v2)>(where);
  return give(select(condition, call.input("x"), call.input("y"), {.name = call.name()},
                     std::source_location::current()));
}

const Function kPicking[] = {
    {"gather(params, indices, validate_indices=None, name=None, axis=None, batch_dims=0)",
     [](const Call& call) {
       if (nb::object read = sparse_read(call); read.is_valid()) return read;
       return give(gather(call.input("params"), call.input("indices"),
                          {.axis = call.optional_input("axis"),
                           .batch_dims = batch_dims_of(call),
                           .name = call.name()}));
     },
     "The slices of a tensor that indices name."},
    {"gather_nd(params, indices, name=None, batch_dims=0)",
     [](const Call& call) {
       const nb::handle params = call["params"];
       if (batch_dims_of(call) == 0 && is_resource_variable(params))
         return nb::object(params.attr("gather_nd")(call["indices"], call["name"]));
       return give(gather_nd(call.input("params"), call.input("indices"),
                             {.batch_dims = batch_dims_of(call), .name = call.name()}));
     },
     "The slices of a tensor that rows of indices name."},
    {"batch_gather(params, indices, name=None)",
     [](const Call& call) {
       return give(
           batch_gather(call.input("params"), call.input("indices"), {.name = call.name()}));
     },
     "gather for each batch."},
    {"where(condition, x=None, y=None, name=None)",
     [](const Call& call) { return where_of(call, false); },
     "Where a condition holds, or one of two tensors, element by element."},
    {"where_v2(condition, x=None, y=None, name=None)",
     [](const Call& call) { return where_of(call, true); },
     "Where a condition holds, or one of two tensors, with broadcasting."},
    {"boolean_mask(tensor, mask, name='boolean_mask', axis=None)",
     [](const Call& call) {
       return give(boolean_mask(call.input("tensor"), call.input("mask"),
                                {.axis = call.optional_input("axis"), .name = call.name()}));
     },
     "What a mask is true for."},
    {"one_hot(indices, depth, on_value=None, off_value=None, axis=None, dtype=None, name=None)",
     [](const Call& call) {
       const DType dtype = call.dtype("dtype");
       return give(one_hot(call.input("indices"), call.input("depth"),
                           {.on_value = call.optional_input("on_value"),
                            .off_value = call.optional_input("off_value"),
                            .axis = call.optional_integer("axis").value_or(-1),
                            .dtype = dtype,
                            .name = call.name()}));
     },
     "Vectors that are on at one place each."},
    {"sequence_mask(lengths, maxlen=None, dtype=tf.bool, name=None)",
     [](const Call& call) {
       return give(sequence_mask(call.input("lengths"), {.maxlen = call.optional_input("maxlen"),
                                                         .dtype = call.dtype("dtype"),
                                                         .name = call.name()}));
     },
     "For each length a row that begins with that many trues."},
    {"edit_distance(hypothesis, truth, normalize=True, name='edit_distance')",
     [](const Call& call) {
       return give(edit_distance(sparse_of(call["hypothesis"]), sparse_of(call["truth"]),
                                 {.normalize = call.flag("normalize"), .name = call.name()}));
     },
     "How many changes lead from one sequence to another."},
    {"sort(values, axis=-1, direction='ASCENDING', name=None)",
     [](const Call& call) {
       return give(sort(
           call.input("values"),
           {.axis = call.input("axis"), .direction = call.text("direction"), .name = call.name()}));
     },
     "Elements in order along a dimension."},
    {"argsort(values, axis=-1, direction='ASCENDING', stable=False, name=None)",
     [](const Call& call) {
       return give(argsort(call.input("values"), {.axis = call.input("axis"),
                                                  .direction = call.text("direction"),
                                                  .stable = call.flag("stable"),
                                                  .name = call.name()}));
     },
     "Where the elements of a sorted tensor were."},
    {"searchsorted(sorted_sequence, values, side='left', out_type=tf.int32, name=None)",
     [](const Call& call) {
       return give(searchsorted(
           call.input("sorted_sequence"), call.input("values"),
           {.side = call.text("side"), .out_type = call.dtype("out_type"), .name = call.name()}));
     },
     "Where values belong in a sorted sequence."},
    {"linalg.diag(diagonal, name='diag', k=0, num_rows=-1, num_cols=-1, padding_value=0)",
     [](const Call& call) {
       return give(
           linalg::diag(call.input("diagonal"), {.k = call.input("k"),
                                                 .num_rows = call.input("num_rows"),
                                                 .num_cols = call.input("num_cols"),
                                                 .padding_value = call.input("padding_value"),
                                                 .name = call.name()}));
     },
     "Matrices with these diagonals."},
    {"linalg.diag_part(input, name='diag_part', k=0, padding_value=0)",
     [](const Call& call) {
       return give(
           linalg::diag_part(call.input("input"), {.k = call.input("k"),
                                                   .padding_value = call.input("padding_value"),
                                                   .name = call.name()}));
     },
     "The diagonals of matrices."},
    {"linalg.set_diag(input, diagonal, name='set_diag', k=0)",
     [](const Call& call) {
       return give(linalg::set_diag(call.input("input"), call.input("diagonal"),
                                    {.k = call.input("k"), .name = call.name()}));
     },
     "Matrices with other diagonals."},
};

}  // namespace

void bind_picking_functions() { add_functions(kPicking); }

}  // namespace rill::python
