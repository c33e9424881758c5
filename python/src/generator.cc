#include "rill/api/variables/generator.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "class_call.h"
#include "plain_values.h"
#include "train_inputs.h"
#include "variables.h"

namespace rill::python {
namespace {

using random::Generator;
using random::GeneratorOptions;
using random::RngAlgorithm;

RngAlgorithm algorithm_of(nb::handle alg) {
  if (alg.is_none()) return RngAlgorithm::kPhilox;
  if (PyUnicode_Check(alg.ptr()))
    return building([&] { return random::rng_algorithm_named(str_of(alg)); });
  const int number =
      small_integer_of(nb::hasattr(alg, "value") ? alg.attr("value") : nb::borrow(alg));
  if (number != 1 && number != 2) value_error("Unsupported algorithm id: ", number);
  return static_cast<RngAlgorithm>(number);
}

GeneratorOptions generator_options(nb::handle dtype, nb::handle name) {
  return {base_type(as_dtype(dtype)), text_or_empty(name)};
}

// What `make` gives where the program stands, as an object of Python.
template <class Make>
Generator generator(Make make) {
  const InCallersPlace place({});
  return building(make);
}

void bind_making(nb::class_<Generator>& c) {
  c.def_static(
      "_from_state",
      [](nb::handle state, nb::handle alg) {
        return generator([&] { return Generator(any_input(state, "state"), algorithm_of(alg)); });
      },
      nb::arg("state"), nb::arg("alg").none());
  c.def_static(
      "_from_seed",
      [](nb::handle seed, nb::handle alg) {
        return generator(
            [&] { return Generator::from_seed(any_input(seed, "seed"), algorithm_of(alg)); });
      },
      nb::arg("seed"), nb::arg("alg").none());
  c.def_static(
      "_from_key_counter",
      [](nb::handle key, nb::handle counter, nb::handle alg) {
        return generator([&] {
          return Generator::from_key_counter(any_input(key, "key"), any_input(counter, "counter"),
                                             algorithm_of(alg));
        });
      },
      nb::arg("key"), nb::arg("counter"), nb::arg("alg").none());
  c.def_static(
      "_from_non_deterministic_state",
      [](nb::handle alg) {
        return generator(
            [&] { return Generator::from_non_deterministic_state(algorithm_of(alg)); });
      },
      nb::arg("alg").none());
}

nb::object handle_of(Generator& g) { return give(g.state().handle()); }

void bind_state(nb::class_<Generator>& c) {
  c.def_prop_ro("state", [](Generator& g) { return give(g.state()); });
  c.def_prop_ro("algorithm", [](Generator& g) { return static_cast<int>(g.algorithm()); });
  c.def_prop_ro("key", [](Generator& g) { return built({handle_of(g)}, [&] { return g.key(); }); });
  c.def("reset", [](Generator& g, nb::handle state) {
    return built({handle_of(g)}, [&]() -> Node& { return g.reset(any_input(state, "state")); });
  });
  c.def("reset_from_seed", [](Generator& g, nb::handle seed) {
    return built({handle_of(g)},
                 [&]() -> Node& { return g.reset_from_seed(any_input(seed, "seed")); });
  });
  c.def("reset_from_key_counter", [](Generator& g, nb::handle key, nb::handle counter) {
    return built({handle_of(g)}, [&]() -> Node& {
      return g.reset_from_key_counter(any_input(key, "key"), any_input(counter, "counter"));
    });
  });
  c.def("skip", [](Generator& g, nb::handle delta) {
    return built({handle_of(g)}, [&]() -> Node& { return g.skip(any_input(delta, "delta")); });
  });
}

template <Output (Generator::*draw)(const ShapeInput&, const Input&, const Input&,
                                    const GeneratorOptions&, std::source_location) const>
nb::object draw_numbers(Generator& g, nb::handle shape, nb::handle a, nb::handle b,
                        nb::handle dtype, nb::handle name) {
  return built({handle_of(g)}, [&] {
    return (g.*draw)(any_input(shape, "shape"), any_input(a, "mean"), any_input(b, "stddev"),
                     generator_options(dtype, name), std::source_location::current());
  });
}

void bind_numbers(nb::class_<Generator>& c) {
  const auto draws = [&](const char* name, auto draw) {
    c.def(name, draw, nb::arg("shape"), nb::arg("a"), nb::arg("b"), nb::arg("dtype"),
          nb::arg("name").none());
  };
  draws("normal", draw_numbers<&Generator::normal>);
  draws("truncated_normal", draw_numbers<&Generator::truncated_normal>);
  draws("binomial", draw_numbers<&Generator::binomial>);
  c.def(
      "uniform",
      [](Generator& g, nb::handle shape, nb::handle minval, nb::handle maxval, nb::handle dtype,
         nb::handle name) {
        return built({handle_of(g)}, [&] {
          OptionalInput most;
          if (!maxval.is_none()) most = any_input(maxval, "max");
          return g.uniform(any_input(shape, "shape"), any_input(minval, "min"), most,
                           generator_options(dtype, name));
        });
      },
      nb::arg("shape"), nb::arg("minval"), nb::arg("maxval").none(), nb::arg("dtype"),
      nb::arg("name").none());
  c.def(
      "uniform_full_int",
      [](Generator& g, nb::handle shape, nb::handle dtype, nb::handle name) {
        return built({handle_of(g)}, [&] {
          return g.uniform_full_int(any_input(shape, "shape"), generator_options(dtype, name));
        });
      },
      nb::arg("shape"), nb::arg("dtype"), nb::arg("name").none());
  c.def("make_seeds", [](Generator& g, std::int64_t count) {
    return built({handle_of(g)}, [&] { return g.make_seeds(count); });
  });
  c.def("split", [](Generator& g, std::int64_t count) {
    nb::object handle = handle_of(g);
    PyObject* const seen[] = {handle.ptr()};
    const InCallersPlace place(seen);
    return building([&] { return g.split(count); });
  });
}

}  // namespace

void bind_generator(nb::module_& m) {
  nb::class_<Generator> c(m, "RandomGenerator");
  bind_making(c);
  bind_state(c);
  bind_numbers(c);
  m.def("create_rng_state", [](nb::handle seed, nb::handle algorithm) {
    return built({}, [&] {
      return random::create_rng_state(any_input(seed, "seed"), algorithm_of(algorithm));
    });
  });
}

}  // namespace rill::python
