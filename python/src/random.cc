#include "random.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "dtypes.h"
#include "errors.h"
#include "inputs.h"
#include "objects.h"
#include "origin.h"
#include "rill/api/random/random_ops.h"
#include "rill/api/random/random_seed.h"
#include "rill/api/random/stateless_random_ops.h"

namespace rill::python {
namespace {

using OptionalName = std::optional<std::string>;

std::string text(const OptionalName& name) { return name.value_or(""); }

// Any integer, NumPy's as well.
std::optional<std::int64_t> seed_of(nb::handle seed) {
  if (seed.is_none()) return {};
  nb::object number = nb::steal(PyNumber_Index(seed.ptr()));
  if (!number.is_valid()) throw nb::python_error();
  return nb::cast<std::int64_t>(number);
}

// A list of numbers is a shape of int32; arrays keep their type.
ShapeInput shape_of_value(nb::handle shape) {
  const bool is_list = PyList_Check(shape.ptr()) || PyTuple_Check(shape.ptr());
  return input_of(shape, is_list ? DType::i32 : DType::invalid, "", "shape");
}

Input value(nb::handle v, const char* name) { return input_of(v, DType::invalid, "", name); }

std::optional<Input> optional_value(nb::handle v, const char* name) {
  if (v.is_none()) return {};
  return value(v, name);
}

// Builds in the graph of the tensors among `arguments`, else in the default one.
template <class Build>
nb::object made(std::initializer_list<nb::handle> arguments, Build build) {
  GraphChoice choice;
  for (nb::handle argument : arguments) choice.see(argument);
  nb::object graph = nb::borrow(choice.graph().self);
  return building([&] {
    Scope scope = scope_of(choice.graph().graph).from(capture_origin());
    return wrap(graph_object(graph), build(scope));
  });
}

nb::object uniform(nb::handle shape, nb::handle minval, nb::handle maxval, nb::handle dtype,
                   nb::handle seed, const OptionalName& name) {
  return made({shape, minval, maxval}, [&](Scope& scope) {
    return random_uniform(scope, shape_of_value(shape),
                          {.minval = value(minval, "min"),
                           .maxval = optional_value(maxval, "max"),
                           .dtype = base_type(as_dtype(dtype)),
                           .seed = seed_of(seed),
                           .name = text(name)});
  });
}

using NormalFn = Output (*)(Scope&, const ShapeInput&, const RandomNormalOptions&);
template <NormalFn function>
nb::object normal(nb::handle shape, nb::handle mean, nb::handle stddev, nb::handle dtype,
                  nb::handle seed, const OptionalName& name) {
  return made({shape, mean, stddev}, [&](Scope& scope) {
    return function(scope, shape_of_value(shape),
                    {.mean = value(mean, "mean"),
                     .stddev = value(stddev, "stddev"),
                     .dtype = base_type(as_dtype(dtype)),
                     .seed = seed_of(seed),
                     .name = text(name)});
  });
}

nb::object shuffle(nb::handle v, nb::handle seed, const OptionalName& name) {
  return made({v}, [&](Scope& scope) {
    return random_shuffle(scope, value(v, "value"), {.seed = seed_of(seed), .name = text(name)});
  });
}

DType index_type(nb::handle dtype) {
  return dtype.is_none() ? DType::i64 : base_type(as_dtype(dtype));
}

using CategoricalFn = Output (*)(Scope&, const Input&, const Input&, const CategoricalOptions&);
template <CategoricalFn function>
nb::object classes(nb::handle logits, nb::handle num_samples, nb::handle dtype, nb::handle seed,
                   const OptionalName& name) {
  return made({logits, num_samples}, [&](Scope& scope) {
    return function(scope, value(logits, "logits"), value(num_samples, "num_samples"),
                    {.dtype = index_type(dtype), .seed = seed_of(seed), .name = text(name)});
  });
}

nb::object gamma(nb::handle shape, nb::handle alpha, nb::handle beta, nb::handle dtype,
                 nb::handle seed, const OptionalName& name) {
  return made({shape, alpha, beta}, [&](Scope& scope) {
    return random_gamma(scope, value(shape, "shape"), value(alpha, "alpha"),
                        {.beta = optional_value(beta, "beta"),
                         .dtype = base_type(as_dtype(dtype)),
                         .seed = seed_of(seed),
                         .name = text(name)});
  });
}

nb::object poisson(nb::handle lam, nb::handle shape, nb::handle dtype, nb::handle seed,
                   const OptionalName& name) {
  return made({lam, shape}, [&](Scope& scope) {
    return random_poisson(
        scope, value(lam, "rate"), value(shape, "shape"),
        {.dtype = base_type(as_dtype(dtype)), .seed = seed_of(seed), .name = text(name)});
  });
}

nb::object stateless_uniform_values(nb::handle shape, nb::handle seed, nb::handle minval,
                                    nb::handle maxval, nb::handle dtype, const OptionalName& name) {
  return made({shape, seed, minval, maxval}, [&](Scope& scope) {
    return stateless_uniform(scope, shape_of_value(shape), value(seed, "seed"),
                             {.minval = value(minval, "min"),
                              .maxval = optional_value(maxval, "max"),
                              .dtype = base_type(as_dtype(dtype)),
                              .name = text(name)});
  });
}

using StatelessNormalFn = Output (*)(Scope&, const ShapeInput&, const Input&,
                                     const StatelessNormalOptions&);
template <StatelessNormalFn function>
nb::object stateless_normal_values(nb::handle shape, nb::handle seed, nb::handle mean,
                                   nb::handle stddev, nb::handle dtype, const OptionalName& name) {
  return made({shape, seed, mean, stddev}, [&](Scope& scope) {
    return function(scope, shape_of_value(shape), value(seed, "seed"),
                    {.mean = value(mean, "mean"),
                     .stddev = value(stddev, "stddev"),
                     .dtype = base_type(as_dtype(dtype)),
                     .name = text(name)});
  });
}

using StatelessClassesFn = Output (*)(Scope&, const Input&, const Input&, const Input&,
                                      const StatelessCategoricalOptions&);
template <StatelessClassesFn function>
nb::object stateless_classes(nb::handle logits, nb::handle num_samples, nb::handle seed,
                             nb::handle dtype, const OptionalName& name) {
  return made({logits, num_samples, seed}, [&](Scope& scope) {
    return function(scope, value(logits, "logits"), value(num_samples, "num_samples"),
                    value(seed, "seed"), {.dtype = index_type(dtype), .name = text(name)});
  });
}

nb::object seeds_for(nb::handle op_seed) {
  const std::optional<RandomSeeds> seeds = get_seed(seed_of(op_seed));
  if (!seeds) return nb::make_tuple(nb::none(), nb::none());
  return nb::make_tuple(seeds->seed, seeds->seed2);
}

void bind_stateful(nb::module_& m, nb::handle float32) {
  m.def("random_uniform", uniform, nb::arg("shape"), nb::arg("minval") = 0,
        nb::arg("maxval") = nb::none(), nb::arg("dtype") = float32, nb::arg("seed") = nb::none(),
        nb::arg("name") = nb::none());
  const auto def_normal = [&](const char* name, auto function) {
    m.def(name, function, nb::arg("shape"), nb::arg("mean") = 0.0, nb::arg("stddev") = 1.0,
          nb::arg("dtype") = float32, nb::arg("seed") = nb::none(), nb::arg("name") = nb::none());
  };
  def_normal("random_normal", normal<static_cast<NormalFn>(random_normal)>);
  def_normal("truncated_normal", normal<static_cast<NormalFn>(truncated_normal)>);
  m.def("random_shuffle", shuffle, nb::arg("value"), nb::arg("seed") = nb::none(),
        nb::arg("name") = nb::none());
  m.def("categorical", classes<static_cast<CategoricalFn>(categorical)>, nb::arg("logits"),
        nb::arg("num_samples"), nb::arg("dtype") = nb::none(), nb::arg("seed") = nb::none(),
        nb::arg("name") = nb::none());
  m.def(
      "multinomial",
      [](nb::handle logits, nb::handle num_samples, nb::handle seed, const OptionalName& name,
         nb::handle output_dtype) {
        return classes<static_cast<CategoricalFn>(multinomial)>(logits, num_samples, output_dtype,
                                                                seed, name);
      },
      nb::arg("logits"), nb::arg("num_samples"), nb::arg("seed") = nb::none(),
      nb::arg("name") = nb::none(), nb::arg("output_dtype") = nb::none());
  m.def("random_gamma", gamma, nb::arg("shape"), nb::arg("alpha"), nb::arg("beta") = nb::none(),
        nb::arg("dtype") = float32, nb::arg("seed") = nb::none(), nb::arg("name") = nb::none());
  m.def("random_poisson", poisson, nb::arg("lam"), nb::arg("shape"), nb::arg("dtype") = float32,
        nb::arg("seed") = nb::none(), nb::arg("name") = nb::none());
}

void bind_stateless(nb::module_& m, nb::handle float32, nb::handle int64) {
  m.def("stateless_random_uniform", stateless_uniform_values, nb::arg("shape"), nb::arg("seed"),
        nb::arg("minval") = 0, nb::arg("maxval") = nb::none(), nb::arg("dtype") = float32,
        nb::arg("name") = nb::none());
  const auto def_normal = [&](const char* name, auto function) {
    m.def(name, function, nb::arg("shape"), nb::arg("seed"), nb::arg("mean") = 0.0,
          nb::arg("stddev") = 1.0, nb::arg("dtype") = float32, nb::arg("name") = nb::none());
  };
  def_normal("stateless_random_normal",
             stateless_normal_values<static_cast<StatelessNormalFn>(stateless_normal)>);
  def_normal("stateless_truncated_normal",
             stateless_normal_values<static_cast<StatelessNormalFn>(stateless_truncated_normal)>);
  const auto def_classes = [&](const char* name, const char* dtype, auto function) {
    m.def(name, function, nb::arg("logits"), nb::arg("num_samples"), nb::arg("seed"),
          nb::arg(dtype) = int64, nb::arg("name") = nb::none());
  };
  def_classes("stateless_categorical", "dtype",
              stateless_classes<static_cast<StatelessClassesFn>(stateless_categorical)>);
  def_classes("stateless_multinomial", "output_dtype",
              stateless_classes<static_cast<StatelessClassesFn>(stateless_multinomial)>);
}

}  // namespace

void bind_random(nb::module_& m) {
  m.def(
      "set_random_seed", [](nb::handle seed) { set_random_seed(seed_of(seed)); },
      nb::arg("seed").none());
  m.def("get_seed", seeds_for, nb::arg("op_seed").none());
  const nb::object float32 = m.attr("float32"), int64 = m.attr("int64");
  bind_stateful(m, float32);
  bind_stateless(m, float32, int64);
}

}  // namespace rill::python
