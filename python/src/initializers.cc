// What the initializer classes of Python are made of: each function builds one initial value.
#include "call.h"
#include "dtypes.h"
#include "inputs.h"
#include "plain_values.h"
#include "rill/api/variables/initializer.h"
#include "shapes.h"
#include "variable_scopes.h"

namespace rill::python {
namespace {

// Runs `initializer` for the shape, type and partition that the call asks for.
nb::object initial_value(const Call& c, const Initializer& initializer) {
  const DType dtype = c.dtype("dtype");
  const Shape shape = c.shape("shape").full();
  if (!c.has("partition")) return give(initializer({shape, dtype, nullptr}));
  const auto list = [&](const char* name) {
    std::vector<std::int64_t> values;
    for (nb::handle value : c["partition"].attr(name)) values.push_back(integer_of(value));
    return values;
  };
  const PartitionInfo part{list("full_shape"), list("var_offset")};
  return give(initializer({shape, dtype, &part}));
}

Input as_asked(const Call& c, const char* name) { return c.input(name, c.dtype("dtype")); }

constexpr Function kFunctions[] = {
    {"_initializers.zeros(shape, dtype, partition=None)",
     [](const Call& c) { return initial_value(c, zeros_initializer()); }},
    {"_initializers.ones(shape, dtype, partition=None)",
     [](const Call& c) { return initial_value(c, ones_initializer()); }},
    {"_initializers.constant(shape, dtype, value, verify_shape, partition=None)",
     [](const Call& c) {
       return initial_value(
           c, constant_initializer(as_asked(c, "value"), {.verify_shape = c.flag("verify_shape")}));
     }},
    {"_initializers.random_uniform(shape, dtype, minval, maxval, seed, partition=None)",
     [](const Call& c) {
       return initial_value(
           c, random_uniform_initializer({.minval = as_asked(c, "minval"),
                                          .maxval = c.optional_input("maxval", c.dtype("dtype")),
                                          .seed = c.optional_integer("seed")}));
     }},
    {"_initializers.random_normal(shape, dtype, mean, stddev, seed, partition=None)",
     [](const Call& c) {
       return initial_value(c, random_normal_initializer({.mean = as_asked(c, "mean"),
                                                          .stddev = as_asked(c, "stddev"),
                                                          .seed = c.optional_integer("seed")}));
     }},
    {"_initializers.truncated_normal(shape, dtype, mean, stddev, seed, partition=None)",
     [](const Call& c) {
       return initial_value(c, truncated_normal_initializer({.mean = as_asked(c, "mean"),
                                                             .stddev = as_asked(c, "stddev"),
                                                             .seed = c.optional_integer("seed")}));
     }},
    {"_initializers.uniform_unit_scaling(shape, dtype, factor, seed, partition=None)",
     [](const Call& c) {
       return initial_value(
           c, uniform_unit_scaling_initializer(
                  {.factor = c.number("factor"), .seed = c.optional_integer("seed")}));
     }},
    {"_initializers.variance_scaling(shape, dtype, scale, mode, distribution, seed, "
     "partition=None)",
     [](const Call& c) {
       return initial_value(c, variance_scaling_initializer({.scale = c.number("scale"),
                                                             .mode = c.text("mode"),
                                                             .distribution = c.text("distribution"),
                                                             .seed = c.optional_integer("seed")}));
     }},
    {"_initializers.contrib_variance(shape, dtype, factor, mode, uniform, seed, partition=None)",
     [](const Call& c) {
       return initial_value(
           c, contrib_variance_scaling_initializer({.factor = c.number("factor"),
                                                    .mode = c.text("mode"),
                                                    .uniform = c.flag("uniform"),
                                                    .seed = c.optional_integer("seed")}));
     }},
    {"_initializers.orthogonal(shape, dtype, gain, seed, partition=None)",
     [](const Call& c) {
       return initial_value(c, orthogonal_initializer(
                                   {.gain = c.number("gain"), .seed = c.optional_integer("seed")}));
     }},
    {"_initializers.delta_orthogonal(shape, dtype, gain, seed, partition=None)",
     [](const Call& c) {
       return initial_value(c, convolutional_delta_orthogonal_initializer(
                                   {.gain = c.number("gain"), .seed = c.optional_integer("seed")}));
     }},
    {"_initializers.identity(shape, dtype, gain, partition=None)",
     [](const Call& c) { return initial_value(c, identity_initializer(c.number("gain"))); }},
    {"_initializers.float_dtype(dtype)",
     [](const Call& c) {
       const DType dtype = c.dtype("dtype");
       if (!kFloatTypes.contains(dtype))
         value_error("Expected floating point type, got <dtype: '", numpy_style_name(dtype), "'>.");
       return dtype_object(dtype);
     }},
    {"variable_axis_size_partitioner(max_shard_bytes, axis=0, bytes_per_string_element=16, "
     "max_shards=None)",
     [](const Call& c) {
       return partitioner_object(variable_axis_size_partitioner(
           c.integer("max_shard_bytes"),
           {.axis = static_cast<int>(c.integer("axis")),
            .bytes_per_string_element = static_cast<int>(c.integer("bytes_per_string_element")),
            .max_shards = c.optional_integer("max_shards")}));
     }},
    {"min_max_variable_partitioner(max_partitions=1, axis=0, min_slice_size=262144, "
     "bytes_per_string_element=16)",
     [](const Call& c) {
       return partitioner_object(min_max_variable_partitioner(
           c.integer("max_partitions"),
           {.axis = static_cast<int>(c.integer("axis")),
            .min_slice_size = c.integer("min_slice_size"),
            .bytes_per_string_element = static_cast<int>(c.integer("bytes_per_string_element"))}));
     }},
    {"fixed_size_partitioner(num_shards, axis=0)",
     [](const Call& c) {
       return partitioner_object(
           fixed_size_partitioner(c.integer("num_shards"), static_cast<int>(c.integer("axis"))));
     }},
};

}  // namespace

void bind_initializers(nb::module_&) { add_functions(kFunctions); }

}  // namespace rill::python
