#include "distributions.h"

#include <nanobind/stl/string.h>

#include "array_functions.h"
#include "class_call.h"
#include "distribution_kinds.h"
#include "package.h"
#include "plain_values.h"
#include "rill/api/distributions/kullback_leibler.h"
#include "rill/api/distributions/numbers.h"
#include "weak_self.h"

namespace rill::python {
namespace {

// What a class of Python answers in place of ours.
class PythonAnswers final : public distributions::ForeignDistribution {
 public:
  explicit PythonAnswers(nb::handle self) : self_(self) {}
  nb::object self() const { return self_.get(); }

  std::string type_name() const override { return type_name_of(self()); }

  std::optional<Output> answer(distributions::Question question, const Inputs& arguments,
                               std::optional<std::int64_t> seed) override {
    const std::string name = str_cat("_", distributions::name_of(question));
    const nb::object method = overridden(name.c_str());
    if (!method.is_valid()) return {};
    nb::list values;
    for (const Input& argument : arguments) values.append(given(argument));
    if (question == distributions::Question::kSampleN)
      values.append(seed ? nb::object(nb::int_(*seed)) : nb::none());
    return as_tensor(input_of(called(method, values), DType::invalid, "", "value"));
  }

  std::optional<Output> compare(bool cross_entropy, distributions::Distribution& other) override;

  std::optional<PartialShape> shape(bool of_event) override {
    const nb::object method = overridden(of_event ? "_event_shape" : "_batch_shape");
    if (!method.is_valid()) return {};
    return as_shape(called(method, nb::list()));
  }

 private:
  nb::object overridden(const char* name) const {
    return self_.overridden(name, package::distribution.get());
  }
  static nb::object given(const Input& argument) {
    if (argument.is_output()) return give(argument.output());
    return to_python_scalar(argument.value(DType::i32));
  }
  static nb::object called(const nb::object& method, const nb::list& arguments) {
    try {
      return method(*arguments);
    } catch (nb::python_error& error) {
      if (!error.matches(PyExc_NotImplementedError)) throw;
      raise(Code::kUnimplemented, str_of(error.value()));
    }
  }
  static nb::object to_python_scalar(const Tensor& value) {
    return nb::int_(*value.data<std::int32_t>());
  }

  WeakSelf self_;
};

struct DistributionObject {
  std::shared_ptr<distributions::Distribution> distribution;
  std::unique_ptr<PythonAnswers> side;
  nb::object graph;                // of the parameters
  std::vector<nb::object> seen{};  // tensors that tell in which graph to build

  distributions::Distribution& operator*() const { return *distribution; }
};

// Runs `build` in the graph of the distribution, where the program stands; what it has no answer
// for is a NotImplementedError.
template <class Build>
auto on_distribution(const DistributionObject& core, nb::handle value, Build build) {
  std::vector<PyObject*> arguments{value.ptr()};
  for (const nb::object& tensor : core.seen) arguments.push_back(tensor.ptr());
  const InCallersPlace place(arguments);
  return building([&] {
    try {
      return build(*core);
    } catch (const Error& error) {
      if (error.code() != Code::kUnimplemented) throw;
      throw_python(PyExc_NotImplementedError, error.message());
    }
  });
}

std::vector<PyObject*> pointers_of_values(const nb::dict& arguments) {
  std::vector<PyObject*> all;
  for (auto [name, value] : arguments) all.push_back(value.ptr());
  return all;
}

void finish_distribution(DistributionObject& core, nb::handle owner,
                         std::shared_ptr<distributions::Distribution> made) {
  core.distribution = std::move(made);
  core.side = std::make_unique<PythonAnswers>(owner);
  core.distribution->foreign = core.side.get();
  core.graph = wrap(default_graph());
  for (const auto& [name, tensor] : (*core).parameter_tensors()) core.seen.push_back(give(tensor));
}

void make_native_distribution(DistributionObject* self, nb::handle owner, const std::string& kind,
                              const nb::dict& arguments) {
  new (self) DistributionObject();
  const std::vector<PyObject*> values = pointers_of_values(arguments);
  const InCallersPlace place(values);
  building([&] { finish_distribution(*self, owner, make_distribution(kind, arguments)); });
}

void make_plain_distribution(DistributionObject* self, nb::handle owner, nb::handle dtype,
                             bool fully, bool validate_args, bool allow_nan_stats,
                             const nb::list& graph_parents, const std::string& name) {
  new (self) DistributionObject();
  for (nb::handle parent : graph_parents) self->seen.push_back(nb::borrow(parent));
  std::vector<PyObject*> values;
  for (const nb::object& tensor : self->seen) values.push_back(tensor.ptr());
  const InCallersPlace place(values);
  const distributions::Distribution::Setup setup{
      .dtype = dtype.is_none() ? DType::invalid : base_type(as_dtype(dtype)),
      .reparameterization_type =
          fully ? distributions::FULLY_REPARAMETERIZED : distributions::NOT_REPARAMETERIZED,
      .validate_args = validate_args,
      .allow_nan_stats = allow_nan_stats,
      .name = name};
  building([&] {
    finish_distribution(*self, owner, std::make_shared<distributions::Distribution>(setup));
  });
}

distributions::Question distribution_question(const std::string& name) {
  if (const auto question = distributions::question_of(name)) return *question;
  throw_python(PyExc_AttributeError, str_cat("a distribution has no ", name));
}

std::optional<std::int64_t> seed_number(nb::handle seed) {
  if (seed.is_none()) return {};
  return integer_of(nb::steal(PyNumber_Index(seed.ptr())));
}

template <class C>
void bind_distribution_questions(C& c) {
  c.def(
      "answer",
      [](DistributionObject& core, const std::string& name, nb::handle value, nb::handle scope) {
        return on_distribution(core, value, [&](distributions::Distribution& d) {
          OptionalInput about;
          if (!value.is_none()) about = operand_of(value, "value");
          return give(d.answer(distribution_question(name), about, {text_or_empty(scope)}));
        });
      },
      nb::arg("name"), nb::arg("value").none(), nb::arg("scope").none());
  c.def(
      "own_answer",
      [](DistributionObject& core, const std::string& name, nb::handle value) {
        return on_distribution(core, value, [&](distributions::Distribution& d) {
          const Output about =
              value.is_none() ? Output() : as_tensor(operand_of(value, "value"), "value");
          return give(d.own_answer(distribution_question(name), about));
        });
      },
      nb::arg("name"), nb::arg("value") = nb::none());
  c.def(
      "own_samples",
      [](DistributionObject& core, nb::handle n, nb::handle seed) {
        return on_distribution(core, n, [&](distributions::Distribution& d) {
          return give(d.do_sample_n(input_of(n, DType::i32, "", "n"), seed_number(seed)));
        });
      },
      nb::arg("n"), nb::arg("seed") = nb::none());
  c.def(
      "sample",
      [](DistributionObject& core, nb::handle sample_shape, nb::handle seed, nb::handle name) {
        return on_distribution(core, sample_shape, [&](distributions::Distribution& d) {
          return give(
              d.sample(shape_input(sample_shape), {seed_number(seed), text_or_empty(name)}));
        });
      },
      nb::arg("sample_shape"), nb::arg("seed").none(), nb::arg("name").none());
}

template <class C>
void bind_shapes_of(C& c) {
  c.def("own_batch_shape",
        [](DistributionObject& core) { return shape_object((*core).do_batch_shape()); });
  c.def("own_event_shape",
        [](DistributionObject& core) { return shape_object((*core).do_event_shape()); });
  c.def("batch_shape",
        [](DistributionObject& core) { return shape_object((*core).batch_shape()); });
  c.def("event_shape",
        [](DistributionObject& core) { return shape_object((*core).event_shape()); });
  using Ask = Output (distributions::Distribution::*)(const distributions::CallOptions&,
                                                      std::source_location);
  constexpr std::pair<const char*, Ask> kAsked[] = {
      {"batch_shape_tensor", &distributions::Distribution::batch_shape_tensor},
      {"event_shape_tensor", &distributions::Distribution::event_shape_tensor},
      {"is_scalar_event", &distributions::Distribution::is_scalar_event},
      {"is_scalar_batch", &distributions::Distribution::is_scalar_batch}};
  for (const auto& [name, ask] : kAsked)
    c.def(
        name,
        [ask](DistributionObject& core, nb::handle scope) {
          return on_distribution(core, nb::none(), [&](distributions::Distribution& d) {
            return give((d.*ask)({text_or_empty(scope)}, std::source_location()));
          });
        },
        nb::arg("name").none());
}

template <class C>
void bind_divergences(nb::module_& m, C& c) {
  using Compare = Output (distributions::Distribution::*)(
      distributions::Distribution&, const distributions::CallOptions&, std::source_location);
  constexpr std::pair<const char*, Compare> kCompared[] = {
      {"kl_divergence", &distributions::Distribution::kl_divergence},
      {"cross_entropy", &distributions::Distribution::cross_entropy}};
  for (const auto& [name, compare] : kCompared)
    c.def(
        name,
        [compare](DistributionObject& core, DistributionObject& other, nb::handle scope) {
          return on_distribution(core, nb::none(), [&](distributions::Distribution& d) {
            return give((d.*compare)(*other, {text_or_empty(scope)}, std::source_location()));
          });
        },
        nb::arg("other"), nb::arg("name").none());
  c.def("own_kl_divergence", [](DistributionObject& core, DistributionObject& other) {
    return on_distribution(core, nb::none(), [&](distributions::Distribution& d) {
      return give(d.do_kl_divergence(*other));
    });
  });
  c.def("own_cross_entropy", [](DistributionObject& core, DistributionObject& other) {
    return on_distribution(core, nb::none(), [&](distributions::Distribution& d) {
      return give(d.do_cross_entropy(*other));
    });
  });
  m.def(
      "kl_divergence",
      [](DistributionObject& a, DistributionObject& b, bool allow_nan_stats, nb::handle name) {
        return on_distribution(a, nb::none(), [&](distributions::Distribution& d) {
          return give(distributions::kl_divergence(d, *b, {allow_nan_stats, text_or_empty(name)}));
        });
      },
      nb::arg("a"), nb::arg("b"), nb::arg("allow_nan_stats"), nb::arg("name").none());
  // The divergence that C++ knows for two classes, without anything around it.
  m.def(
      "native_kl",
      [](DistributionObject& a, DistributionObject& b, nb::handle name) {
        return on_distribution(a, nb::none(), [&](distributions::Distribution& d) {
          return give(distributions::registered_kl(d, *b)(d, *b, text_or_empty(name)));
        });
      },
      nb::arg("a"), nb::arg("b"), nb::arg("name").none());
}

nb::object python_object(const distributions::Distribution& d) {
  const auto* side = dynamic_cast<const PythonAnswers*>(d.foreign);
  return side == nullptr ? nb::object(nb::none()) : side->self();
}

std::optional<Output> PythonAnswers::compare(bool cross_entropy,
                                             distributions::Distribution& other) {
  const nb::object method = overridden(cross_entropy ? "_cross_entropy" : "_kl_divergence");
  if (!method.is_valid()) return {};
  nb::list arguments;
  arguments.append(python_object(other));
  return as_tensor(input_of(called(method, arguments), DType::invalid, "", "value"));
}

// Looks among the functions that programs have registered.
void find_divergences_of_programs() {
  distributions::set_foreign_kl_finder(
      [](distributions::Distribution& a,
         distributions::Distribution& b) -> distributions::KlFunction {
        const nb::object first = python_object(a), second = python_object(b);
        if (first.is_none() || second.is_none()) return distributions::registered_kl(a, b);
        const nb::object function = package::registered_kl(first.type(), second.type());
        if (function.is_none()) return {};
        return [function](distributions::Distribution& x, distributions::Distribution& y,
                          const std::string& name) {
          const nb::object scope = name.empty() ? nb::object(nb::none()) : nb::str(name.c_str());
          const nb::object value =
              function(python_object(x), python_object(y), nb::arg("name") = scope);
          return as_tensor(input_of(value, DType::invalid, "", "kl"));
        };
      });
}

}  // namespace

void bind_distributions(nb::module_& m) {
  nb::class_<DistributionObject> c(m, "DistributionCore");
  c.def("__init__", make_native_distribution, nb::arg("owner"), nb::arg("kind"),
        nb::arg("arguments"));
  c.def("__init__", make_plain_distribution, nb::arg("owner"), nb::arg("dtype").none(),
        nb::arg("fully"), nb::arg("validate_args"), nb::arg("allow_nan_stats"),
        nb::arg("graph_parents"), nb::arg("name"));
  c.def_prop_ro("name", [](DistributionObject& core) { return (*core).name(); });
  c.def_prop_ro("dtype", [](DistributionObject& core) { return dtype_object((*core).dtype()); });
  c.def_prop_ro("is_fully_reparameterized", [](DistributionObject& core) {
    return (*core).reparameterization_type() == distributions::FULLY_REPARAMETERIZED;
  });
  c.def("parameter", [](DistributionObject& core, const std::string& name) {
    return building([&] { return give((*core).parameter(name)); });
  });
  c.def("range", [](DistributionObject& core, nb::handle name) {
    return on_distribution(core, nb::none(), [&](distributions::Distribution& d) {
      return give(dynamic_cast<distributions::Uniform&>(d).range({text_or_empty(name)}));
    });
  });
  bind_distribution_questions(c);
  bind_shapes_of(c);
  bind_divergences(m, c);
  m.def(
      "distribution_param_shape",
      [](nb::object sample_shape, nb::handle name) {
        return built({sample_shape}, [&] {
          return distributions::param_shapes({"all"}, shape_input(sample_shape),
                                             {text_or_empty(name)})["all"];
        });
      },
      nb::arg("sample_shape"), nb::arg("name").none());
  find_divergences_of_programs();
}

}  // namespace rill::python
