#include "random.h"

#include <nanobind/stl/string.h>

#include "array_functions.h"
#include "errors.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/random/random_ops.h"
#include "rill/api/random/random_seed.h"
#include "rill/api/random/stateless_random_ops.h"

namespace rill::python {
namespace {

RandomNormalOptions normal_options(const Call& call) {
  return {.mean = call.input("mean"),
          .stddev = call.input("stddev"),
          .dtype = call.dtype("dtype"),
          .seed = call.optional_integer("seed"),
          .name = call.name()};
}

StatelessNormalOptions stateless_normal_options(const Call& call) {
  return {.mean = call.input("mean"),
          .stddev = call.input("stddev"),
          .dtype = call.dtype("dtype"),
          .name = call.name()};
}

CategoricalOptions categorical_options(const Call& call, const char* dtype) {
  return {.dtype = call.dtype(dtype, DType::i64),
          .seed = call.optional_integer("seed"),
          .name = call.name()};
}

// Eagerly the seed of the program begins a sequence: all of it counts, as far as 64 bits go.
std::optional<std::int64_t> graph_seed(const Call& call) {
  const nb::handle seed = call["seed"];
  if (executing_eagerly() && PyLong_Check(seed.ptr())) {
    int overflow = 0;
    const auto whole = PyLong_AsLongLongAndOverflow(seed.ptr(), &overflow);
    if (overflow == 0) return whole;
  }
  return call.optional_integer("seed");
}

const Function kRandom[] = {
    {"random.set_random_seed(seed)",
     [](const Call& call) -> nb::object {
       set_random_seed(graph_seed(call));
       return nb::none();
     },
     "Sets the seed of the default graph."},
    {"random.get_seed(op_seed)",
     [](const Call& call) -> nb::object {
       const std::optional<RandomSeeds> seeds = get_seed(call.optional_integer("op_seed"));
       if (!seeds) return nb::make_tuple(nb::none(), nb::none());
       return nb::make_tuple(seeds->seed, seeds->seed2);
     },
     "The seeds of a random op that would be added now."},
    {"random.uniform(shape, minval=0, maxval=None, dtype=tf.float32, seed=None, name=None)",
     [](const Call& call) {
       return give(
           random_uniform(shape_input(call["shape"]), {.minval = call.input("minval"),
                                                       .maxval = call.optional_input("maxval"),
                                                       .dtype = call.dtype("dtype"),
                                                       .seed = call.optional_integer("seed"),
                                                       .name = call.name()}));
     },
     "Values between two bounds, all equally likely."},
    {"random.normal(shape, mean=0.0, stddev=1.0, dtype=tf.float32, seed=None, name=None)",
     [](const Call& call) {
       return give(random_normal(shape_input(call["shape"]), normal_options(call)));
     },
     "Normally distributed values."},
    {"random.truncated_normal(shape, mean=0.0, stddev=1.0, dtype=tf.float32, seed=None, name=None)",
     [](const Call& call) {
       return give(truncated_normal(shape_input(call["shape"]), normal_options(call)));
     },
     "Normally distributed values, none further from the mean than two deviations."},
    {"random.shuffle(value, seed=None, name=None)",
     [](const Call& call) {
       return give(random_shuffle(call.input("value"),
                                  {.seed = call.optional_integer("seed"), .name = call.name()}));
     },
     "A tensor with its first dimension in random order."},
    {"image.random_crop(value, size, seed=None, name=None)",
     [](const Call& call) {
       return give(random_crop(call.input("value"), call.input("size", DType::i32),
                               {.seed = call.optional_integer("seed"), .name = call.name()}));
     },
     "A part of a tensor at a random place."},
    {"random.categorical(logits, num_samples, dtype=None, seed=None, name=None)",
     [](const Call& call) {
       return give(categorical(call.input("logits"), call.input("num_samples"),
                               categorical_options(call, "dtype")));
     },
     "Classes, drawn by unnormalised log-probabilities."},
    {"random.multinomial(logits, num_samples, seed=None, name=None, output_dtype=None)",
     [](const Call& call) {
       return give(multinomial(call.input("logits"), call.input("num_samples"),
                               categorical_options(call, "output_dtype")));
     },
     "Classes, drawn by unnormalised log-probabilities."},
    {"random.gamma(shape, alpha, beta=None, dtype=tf.float32, seed=None, name=None)",
     [](const Call& call) {
       return give(random_gamma(call.input("shape"), call.input("alpha"),
                                {.beta = call.optional_input("beta"),
                                 .dtype = call.dtype("dtype"),
                                 .seed = call.optional_integer("seed"),
                                 .name = call.name()}));
     },
     "Values of gamma distributions."},
    {"random.poisson(lam, shape, dtype=tf.float32, seed=None, name=None)",
     [](const Call& call) {
       return give(random_poisson(call.input("lam"), call.input("shape"),
                                  {.dtype = call.dtype("dtype"),
                                   .seed = call.optional_integer("seed"),
                                   .name = call.name()}));
     },
     "Values of Poisson distributions."},
};

const Function kStateless[] = {
    {"random.stateless_uniform(shape, seed, minval=0, maxval=None, dtype=tf.float32, name=None)",
     [](const Call& call) {
       return give(stateless_uniform(shape_input(call["shape"]), call.input("seed"),
                                     {.minval = call.input("minval"),
                                      .maxval = call.optional_input("maxval"),
                                      .dtype = call.dtype("dtype"),
                                      .name = call.name()}));
     },
     "Values between two bounds that depend on the seed alone."},
    {"random.stateless_normal(shape, seed, mean=0.0, stddev=1.0, dtype=tf.float32, name=None)",
     [](const Call& call) {
       return give(stateless_normal(shape_input(call["shape"]), call.input("seed"),
                                    stateless_normal_options(call)));
     },
     "Normally distributed values that depend on the seed alone."},
    {"random.stateless_truncated_normal(shape, seed, mean=0.0, stddev=1.0, dtype=tf.float32, "
     "name=None)",
     [](const Call& call) {
       return give(stateless_truncated_normal(shape_input(call["shape"]), call.input("seed"),
                                              stateless_normal_options(call)));
     },
     "truncated_normal that depends on the seed alone."},
    {"random.stateless_categorical(logits, num_samples, seed, dtype=tf.int64, name=None)",
     [](const Call& call) {
       return give(stateless_categorical(call.input("logits"), call.input("num_samples"),
                                         call.input("seed"),
                                         {.dtype = call.dtype("dtype"), .name = call.name()}));
     },
     "Classes that depend on the seed alone."},
    {"random.stateless_multinomial(logits, num_samples, seed, output_dtype=tf.int64, name=None)",
     [](const Call& call) {
       return give(stateless_multinomial(
           call.input("logits"), call.input("num_samples"), call.input("seed"),
           {.dtype = call.dtype("output_dtype"), .name = call.name()}));
     },
     "Classes that depend on the seed alone."},
};

}  // namespace

void bind_random() {
  add_functions(kRandom);
  add_functions(kStateless);
}

}  // namespace rill::python
