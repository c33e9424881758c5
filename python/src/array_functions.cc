#include "array_functions.h"

#include "errors.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/sparse/sparse_facts.h"
#include "shapes.h"
#include "sparse_tensors.h"

namespace rill::python {
namespace {

nb::object pair(const std::pair<Output, Output>& outputs) {
  return nb::make_tuple(give(outputs.first), give(outputs.second));
}

sparse::FactOptions fact_options(const Call& call) { return {call.dtype("out_type"), call.name()}; }

// --- shapes ------------------------------------------------------------------------------------

nb::object without_fraction(nb::handle size) {
  if (!PyFloat_Check(size.ptr())) return nb::borrow(size);
  nb::object whole = nb::steal(PyNumber_Long(size.ptr()));
  if (!whole.is_valid()) throw nb::python_error();
  return whole;
}

// Sizes that are written as floats lose their fractions.
ShapeInput filled_shape(nb::handle value) {
  if (!PyList_Check(value.ptr()) && !PyTuple_Check(value.ptr()))
    return shape_input(without_fraction(value));
  const auto is_float = [](nb::handle size) { return PyFloat_Check(size.ptr()) != 0; };
  if (std::none_of(value.begin(), value.end(), is_float)) return shape_input(value);
  nb::list sizes;
  for (nb::handle size : value) sizes.append(without_fraction(size));
  return shape_input(sizes);
}

const Function kShapes[] = {
    {"shape(input, name=None, out_type=tf.int32)",
     [](const Call& call) {
       if (is_sparse(call["input"]))
         return give(sparse::shape(sparse_of(call["input"]), fact_options(call)));
       return give(
           shape(call.input("input"), {.out_type = call.dtype("out_type"), .name = call.name()}));
     },
     "The dimensions of a tensor."},
    {"size(input, name=None, out_type=tf.int32)",
     [](const Call& call) {
       if (is_sparse(call["input"]))
         return give(sparse::size(sparse_of(call["input"]), fact_options(call)));
       return give(
           size(call.input("input"), {.out_type = call.dtype("out_type"), .name = call.name()}));
     },
     "The number of elements of a tensor."},
    {"rank(input, name=None)",
     [](const Call& call) {
       if (is_sparse(call["input"]))
         return give(sparse::rank(sparse_of(call["input"]), {call.name()}));
       return give(rank(call.input("input"), {.name = call.name()}));
     },
     "The number of dimensions of a tensor."},
    {"zeros(shape, dtype=tf.float32, name=None)",
     [](const Call& call) {
       return give(
           zeros(filled_shape(call["shape"]), {.dtype = call.dtype("dtype"), .name = call.name()}));
     },
     "A tensor of zeros."},
    {"ones(shape, dtype=tf.float32, name=None)",
     [](const Call& call) {
       return give(
           ones(filled_shape(call["shape"]), {.dtype = call.dtype("dtype"), .name = call.name()}));
     },
     "A tensor of ones."},
    {"zeros_like(tensor, dtype=None, name=None, optimize=True)",
     [](const Call& call) {
       return give(zeros_like(
           call.input("tensor"),
           {.dtype = call.dtype("dtype"), .optimize = call.flag("optimize"), .name = call.name()}));
     },
     "Zeros in the shape of another tensor."},
    {"ones_like(tensor, dtype=None, name=None, optimize=True)",
     [](const Call& call) {
       return give(ones_like(
           call.input("tensor"),
           {.dtype = call.dtype("dtype"), .optimize = call.flag("optimize"), .name = call.name()}));
     },
     "Ones in the shape of another tensor."},
    {"expand_dims(input, axis=None, name=None, dim=None)",
     [](const Call& call) {
       const nb::handle axis = either(call, "axis", "dim");
       if (axis.is_none()) value_error("Must specify an axis argument to tf.expand_dims()");
       return give(
           expand_dims(call.input("input"), input_from(axis, "dim"), {.name = call.name()}));
     },
     "A tensor with a new dimension of size 1."},
    {"squeeze(input, axis=None, name=None, squeeze_dims=None)",
     [](const Call& call) {
       const nb::handle axis = either(call, "axis", "squeeze_dims");
       return give(squeeze(call.input("input"), {.axis = integers(axis), .name = call.name()}));
     },
     "A tensor without dimensions of size 1."},
    {"transpose(a, perm=None, name='transpose', conjugate=False)",
     [](const Call& call) {
       return give(transpose(call.input("a"), {.perm = call.optional_input("perm"),
                                               .conjugate = call.flag("conjugate"),
                                               .name = call.name()}));
     },
     "A tensor with its dimensions in another order."},
    {"linalg.matrix_transpose(a, name='matrix_transpose', conjugate=False)",
     [](const Call& call) {
       return give(matrix_transpose(call.input("a"),
                                    {.conjugate = call.flag("conjugate"), .name = call.name()}));
     },
     "Matrices with rows and columns exchanged."},
    {"meshgrid_of(vectors, indexing='xy', name='meshgrid')",
     [](const Call& call) {
       return give(meshgrid(call.inputs("vectors"),
                            {.indexing = call.text("indexing"), .name = call.name()}));
     },
     "The coordinates of all points of a grid."},
    {"broadcast_dynamic_shape(shape_x, shape_y)",
     [](const Call& call) {
       return give(raw::BroadcastArgs(call.input("shape_x"), call.input("shape_y")));
     },
     "The shape that two shapes broadcast to, when the step runs."},
    {"placeholder_with_default(input, shape, name=None)",
     [](const Call& call) {
       return give(raw::PlaceholderWithDefault(call.input("input"), call.shape("shape"),
                                               {.name = call.name()}));
     },
     "A tensor that may be fed."},
    {"broadcast_static_shape(shape_x, shape_y)",
     [](const Call& call) {
       return shape_object(broadcast(call.shape("shape_x"), call.shape("shape_y")));
     },
     "The shape that two shapes broadcast to."},
};

// --- joining -----------------------------------------------------------------------------------

// The default, 0, is written in the op itself.
OptionalInput padding_value(nb::handle value) {
  if (PyLong_Check(value.ptr()) || PyFloat_Check(value.ptr()) || PyBool_Check(value.ptr()))
    if (PyObject_Not(value.ptr()) == 1) return {};
  return input_from(value, "constant_values");
}

const Function kJoining[] = {
    {"concat(values, axis, name='concat')",
     [](const Call& call) {
       return give(
           concat(same_typed(call["values"], "values"), call.input("axis"), {.name = call.name()}));
     },
     "Tensors one after the other along a dimension."},
    {"stack(values, axis=0, name='stack')",
     [](const Call& call) {
       const StackOptions options{.axis = call.integer("axis"), .name = call.name()};
       try {
         if (options.axis == 0)
           return give(
               as_tensor(call.input("values"), options.name.empty() ? "stack" : options.name));
       } catch (nb::python_error& error) {
         // What is no tensor as a whole may be one for one: Dimensions, lists of several types.
         if (!error.matches(PyExc_TypeError) && !error.matches(PyExc_ValueError)) throw;
       }
       return give(stack(same_typed(call["values"], "values"), options));
     },
     "Tensors along a new dimension."},
    {"parallel_stack(values, name='parallel_stack')",
     [](const Call& call) {
       return give(parallel_stack(same_typed(call["values"], "values"), {.name = call.name()}));
     },
     "Tensors along a new first dimension, each as soon as it is there."},
    {"unstack(value, num=None, axis=0, name='unstack')",
     [](const Call& call) {
       return give(unstack(call.input("value"), {.num = call.optional_integer("num"),
                                                 .axis = call.integer("axis"),
                                                 .name = call.name()}));
     },
     "The slices of a tensor along a dimension."},
    {"split(value, num_or_size_splits, axis=0, num=None, name='split')",
     [](const Call& call) {
       const SplitOptions options{
           .axis = call.input("axis"), .num = call.optional_integer("num"), .name = call.name()};
       if (is_count(call["num_or_size_splits"]))
         return give(split(call.input("value"), call.integer("num_or_size_splits"), options));
       return give(split_sizes(call.input("value"), call.input("num_or_size_splits"), options));
     },
     "Parts of a tensor along a dimension."},
    {"pad(tensor, paddings, mode='CONSTANT', name=None, constant_values=0)",
     [](const Call& call) {
       return give(pad(call.input("tensor"), call.input("paddings"),
                       {.mode = call.text("mode"),
                        .constant_values = padding_value(call["constant_values"]),
                        .name = call.name()}));
     },
     "A tensor with elements added around it."},
    {"strided_slice(input_, begin, end, strides=None, begin_mask=0, end_mask=0, ellipsis_mask=0, "
     "new_axis_mask=0, shrink_axis_mask=0, var=None, name=None)",
     [](const Call& call) {
       return give(strided_slice(call.input("input_"), call.input("begin"), call.input("end"),
                                 {.strides = call.optional_input("strides"),
                                  .begin_mask = call.integer("begin_mask"),
                                  .end_mask = call.integer("end_mask"),
                                  .ellipsis_mask = call.integer("ellipsis_mask"),
                                  .new_axis_mask = call.integer("new_axis_mask"),
                                  .shrink_axis_mask = call.integer("shrink_axis_mask"),
                                  .name = call.name()}));
     },
     "Every n-th element of a part of a tensor."},
    {"repeat(input, repeats, axis=None, name=None)",
     [](const Call& call) {
       return give(repeat(call.input("input"), call.input("repeats"),
                          {.axis = call.optional_integer("axis"), .name = call.name()}));
     },
     "Elements of a tensor, each several times."},
    {"nn.space_to_batch(input, paddings, block_size=None, name=None, block_shape=None)",
     [](const Call& call) {
       const nb::handle size = either(call, "block_shape", "block_size");
       if (integers(size).size() != 1)
         value_error("block_size must be one number, got ", repr_of(size));
       return give(space_to_batch(call.input("input"), call.input("paddings"), integers(size).at(0),
                                  {.name = call.name()}));
     },
     "Blocks of pictures, each place of a block in a batch of its own."},
    {"batch_to_space(input, crops, block_size, name=None, block_shape=None)",
     [](const Call& call) {
       return give(batch_to_space(call.input("input"), call.input("crops"),
                                  call.integer("block_size"), {.name = call.name()}));
     },
     "What space_to_batch was made of."},
    {"required_space_to_batch_paddings(input_shape, block_shape, base_paddings=None, name=None)",
     [](const Call& call) {
       return pair(required_space_to_batch_paddings(
           call.input("input_shape", DType::i32), call.input("block_shape", DType::i32),
           {.base_paddings = call.optional_input("base_paddings", DType::i32),
            .name = call.name()}));
     },
     "The paddings that make a shape divisible by blocks, and the crops that undo them."},
};

}  // namespace

void bind_array_functions() {
  add_functions(kShapes);
  add_functions(kJoining);
}

}  // namespace rill::python
