#include "linear_operators.h"

#include <nanobind/stl/string.h>

#include "class_call.h"
#include "kept.h"
#include "operator_kinds.h"
#include "package.h"
#include "rill/api/linalg/operator_parts.h"
#include "rill/api/linalg/operators.h"
#include "weak_self.h"

namespace rill::python {
namespace {

using Question = linalg::OperatorQuestion;

// What a class of Python answers in place of ours.
class PythonOperator final : public linalg::ForeignOperator {
 public:
  PythonOperator(nb::handle object, linalg::LinearOperator* op) : object_(object), op_(op) {}
  nb::object object() const { return object_.get(); }

  std::string type_name() const override { return type_name_of(object()); }
  linalg::OperatorRef self() override {
    const nb::object held = object();
    return held.is_none() ? op_->shared_from_this() : linalg::OperatorRef(keep(held), op_);
  }

  std::optional<PartialShape> shape() override {
    const nb::object method = overridden("_shape");
    if (!method.is_valid()) return {};
    return as_shape(called([&] { return method(); }));
  }

  std::optional<Output> answer(Question question, Output argument,
                               const linalg::Adjoints& adjoints) override {
    const std::string name = str_cat("_", linalg::name_of(question));
    const nb::object method = overridden(name.c_str());
    if (!method.is_valid()) return {};
    const nb::object result = called([&]() -> nb::object {
      if (!argument.node) return method();
      const nb::object x = give(argument);
      if (question == Question::kAddToTensor) return method(x);
      if (question == Question::kMatvec || question == Question::kSolvevec)
        return method(x, nb::arg("adjoint") = adjoints.adjoint);
      return method(x, nb::arg("adjoint") = adjoints.adjoint,
                    nb::arg("adjoint_arg") = adjoints.adjoint_arg);
    });
    if (is_operation(result)) return Output{&operation_object(result).node(), 0};
    return as_tensor(input_of(result, DType::invalid, "", "value"));
  }

 private:
  nb::object overridden(const char* name) const {
    return object_.overridden(name, package::linear_operator.get());
  }
  template <class Call>
  static nb::object called(Call call) {
    try {
      return call();
    } catch (nb::python_error& error) {
      if (!error.matches(PyExc_NotImplementedError)) throw;
      raise(Code::kUnimplemented, str_of(error.value()));
    }
  }

  WeakSelf object_;
  linalg::LinearOperator* op_;  // of the same core
};

struct OperatorObject {
  OperatorObject() = default;
  ~OperatorObject() {
    if (op && op->foreign == side.get()) op->foreign = nullptr;
  }
  OperatorObject(const OperatorObject&) = delete;
  OperatorObject& operator=(const OperatorObject&) = delete;

  linalg::OperatorRef op;
  std::unique_ptr<PythonOperator> side;
  nb::object graph;
  std::vector<nb::object> seen;  // tensors that tell in which graph to build
};

void collect(const linalg::LinearOperator& op, std::vector<nb::object>& seen) {
  for (const auto& [name, tensor] : op.tensors()) seen.push_back(give(tensor));
  for (const linalg::OperatorRef& operand : op.operands()) collect(*operand, seen);
}

void finish_operator(OperatorObject& core, nb::handle owner, linalg::OperatorRef op) {
  core.op = std::move(op);
  core.side = std::make_unique<PythonOperator>(owner, core.op.get());
  core.op->foreign = core.side.get();
  core.graph = wrap(default_graph());
  collect(*core.op, core.seen);
}

nb::object shown(const linalg::OperatorRef& op) {
  if (const auto* side = dynamic_cast<PythonOperator*>(op->foreign))
    if (nb::object known = side->object(); !known.is_none()) return known;
  const nb::object type = package::linear_operator_class(op->type_name());
  nb::object made = type.attr("__new__")(type);
  nb::object core = nb::inst_alloc(nb::type<OperatorObject>());
  new (nb::inst_ptr<OperatorObject>(core)) OperatorObject();
  nb::inst_mark_ready(core);
  made.attr("_core") = core;
  finish_operator(*nb::inst_ptr<OperatorObject>(core), made, op);
  made.attr("_adopted")();
  return made;
}

nb::object shown(Output output) { return give(output); }
nb::object shown(Node& operation) { return give(operation); }

template <class Build>
auto on_operator(const OperatorObject& core, nb::handle argument, Build build) {
  std::vector<PyObject*> arguments;
  if (!is_operator(argument)) arguments.push_back(argument.ptr());
  for (const nb::object& tensor : core.seen) arguments.push_back(tensor.ptr());
  const InCallersPlace place(arguments);
  return building([&] {
    try {
      return build(*core.op);
    } catch (const Error& error) {
      if (error.code() != Code::kUnimplemented) throw;
      throw_python(PyExc_NotImplementedError, error.message());
    }
  });
}

void make_native_operator(OperatorObject* self, nb::handle owner, const std::string& kind,
                          const nb::dict& arguments) {
  new (self) OperatorObject();
  std::vector<PyObject*> values;
  std::vector<nb::object> operand_tensors;
  for (auto [name, value] : arguments) {
    if (is_operator(value))
      collect(*operator_of(value), operand_tensors);
    else if (str_of(name) == "operators" && nb::hasattr(value, "__iter__"))
      for (nb::handle item : value)
        if (is_operator(item)) collect(*operator_of(item), operand_tensors);
    if (str_of(name) != "operators" && !is_operator(value)) values.push_back(value.ptr());
  }
  for (const nb::object& tensor : operand_tensors) values.push_back(tensor.ptr());
  const InCallersPlace place(values);
  building([&] { finish_operator(*self, owner, make_operator(kind, arguments)); });
}

void make_plain_operator(OperatorObject* self, nb::handle owner, nb::handle dtype,
                         const nb::list& graph_parents, nb::handle non_singular,
                         nb::handle self_adjoint, nb::handle positive_definite, nb::handle square,
                         const std::string& name) {
  new (self) OperatorObject();
  for (nb::handle parent : graph_parents) self->seen.push_back(nb::borrow(parent));
  const linalg::OperatorOptions options{hint_of(non_singular), hint_of(self_adjoint),
                                        hint_of(positive_definite), hint_of(square), name};
  building([&] {
    const DType type = dtype.is_none() ? DType::invalid : base_type(as_dtype(dtype));
    finish_operator(*self, owner, std::make_shared<linalg::LinearOperator>(type, options));
  });
}

Question operator_question(const std::string& name) {
  if (const auto question = linalg::operator_question_of(name)) return *question;
  throw_python(PyExc_AttributeError, str_cat("a linear operator has no ", name));
}
bool is_check(Question question) { return question >= Question::kAssertNonSingular; }

nb::object own_answer(OperatorObject& core, const std::string& name, nb::handle argument,
                      bool adjoint, bool adjoint_arg) {
  const Question question = operator_question(name);
  return on_operator(core, argument, [&](linalg::LinearOperator& op) -> nb::object {
    if (is_check(question)) return give(op.own_check(question));
    const Output x = argument.is_none() ? Output() : as_tensor(any_input(argument, "x"), "x");
    return give(op.own_answer(question, x, {adjoint, adjoint_arg}));
  });
}

template <class C>
void bind_products(C& c) {
  using Tensors = Output (linalg::LinearOperator::*)(const Input&, const linalg::OperatorMatmul&,
                                                     std::source_location);
  using Operators = linalg::OperatorRef (linalg::LinearOperator::*)(
      const linalg::OperatorRef&, const linalg::OperatorMatmul&, std::source_location);
  struct Product {
    const char* name;
    const char* argument;
    Tensors tensors;
    Operators operators = nullptr;
  };
  static const Product kProducts[] = {
      {"matmul", "x", &linalg::LinearOperator::matmul, &linalg::LinearOperator::matmul},
      {"matvec", "x", &linalg::LinearOperator::matvec},
      {"solve", "rhs", &linalg::LinearOperator::solve, &linalg::LinearOperator::solve},
      {"solvevec", "rhs", &linalg::LinearOperator::solvevec}};
  for (const Product& product : kProducts)
    c.def(
        product.name,
        [&product](OperatorObject& core, nb::handle x, bool adjoint, bool adjoint_arg,
                   nb::handle name) {
          const linalg::OperatorMatmul call{adjoint, adjoint_arg, text_or_empty(name)};
          return on_operator(core, x, [&](linalg::LinearOperator& op) -> nb::object {
            if (product.operators != nullptr && is_operator(x))
              return shown((op.*product.operators)(operator_of(x), call, std::source_location()));
            return give((op.*product.tensors)(any_input(x, product.argument), call,
                                              std::source_location()));
          });
        },
        nb::arg("x"), nb::arg("adjoint"), nb::arg("adjoint_arg"), nb::arg("name").none());
}

template <class C>
void bind_operator_questions(C& c) {
  using Ask = Output (linalg::LinearOperator::*)(const linalg::OperatorCall&, std::source_location);
  using Check =
      Node& (linalg::LinearOperator::*)(const linalg::OperatorCall&, std::source_location);
  using Make = linalg::OperatorRef (linalg::LinearOperator::*)(const linalg::OperatorCall&,
                                                               std::source_location);
  const auto define = [&c](const char* name, auto function) {
    c.def(
        name,
        [function](OperatorObject& core, nb::handle scope) {
          return on_operator(core, nb::none(), [&](linalg::LinearOperator& op) -> nb::object {
            const linalg::OperatorCall call{text_or_empty(scope)};
            return shown((op.*function)(call, std::source_location()));
          });
        },
        nb::arg("name").none());
  };
  const std::pair<const char*, Ask> asks[] = {
      {"shape_tensor", &linalg::LinearOperator::shape_tensor},
      {"batch_shape_tensor", &linalg::LinearOperator::batch_shape_tensor},
      {"tensor_rank_tensor", &linalg::LinearOperator::tensor_rank_tensor},
      {"domain_dimension_tensor", &linalg::LinearOperator::domain_dimension_tensor},
      {"range_dimension_tensor", &linalg::LinearOperator::range_dimension_tensor},
      {"determinant", &linalg::LinearOperator::determinant},
      {"log_abs_determinant", &linalg::LinearOperator::log_abs_determinant},
      {"to_dense", &linalg::LinearOperator::to_dense},
      {"diag_part", &linalg::LinearOperator::diag_part},
      {"trace", &linalg::LinearOperator::trace}};
  for (const auto& [name, ask] : asks) define(name, ask);
  const std::pair<const char*, Check> checks[] = {
      {"assert_non_singular", &linalg::LinearOperator::assert_non_singular},
      {"assert_positive_definite", &linalg::LinearOperator::assert_positive_definite},
      {"assert_self_adjoint", &linalg::LinearOperator::assert_self_adjoint}};
  for (const auto& [name, check] : checks) define(name, check);
  const std::pair<const char*, Make> makes[] = {{"adjoint", &linalg::LinearOperator::adjoint},
                                                {"inverse", &linalg::LinearOperator::inverse},
                                                {"cholesky", &linalg::LinearOperator::cholesky}};
  for (const auto& [name, make] : makes) define(name, make);
  c.def(
      "add_to_tensor",
      [](OperatorObject& core, nb::handle x, nb::handle name) {
        return on_operator(core, x, [&](linalg::LinearOperator& op) -> nb::object {
          return give(op.add_to_tensor(any_input(x, "x"), {text_or_empty(name)}));
        });
      },
      nb::arg("x"), nb::arg("name").none());
}

template <class C>
void bind_operator_parts(C& c) {
  c.def_prop_ro("name", [](OperatorObject& core) { return core.op->name(); });
  c.def_prop_ro("dtype", [](OperatorObject& core) { return dtype_object(core.op->dtype()); });
  c.def("hint", [](OperatorObject& core, const std::string& name) {
    return building([&]() -> nb::object {
      const linalg::OperatorHints hints =
          name == "is_square" ? core.op->hints()
                              : linalg::OperatorHints{core.op->is_non_singular(),
                                                      core.op->is_self_adjoint(),
                                                      core.op->is_positive_definite(),
                                                      {}};
      if (name == "is_square") return hint_object(hints.is_square);
      if (name == "is_non_singular") return hint_object(hints.is_non_singular);
      if (name == "is_self_adjoint") return hint_object(hints.is_self_adjoint);
      return hint_object(hints.is_positive_definite);
    });
  });
  c.def("shape", [](OperatorObject& core) {
    return on_operator(core, nb::none(),
                       [](linalg::LinearOperator& op) { return shape_object(op.shape()); });
  });
  c.def("own_shape", [](OperatorObject& core) {
    return on_operator(core, nb::none(),
                       [](linalg::LinearOperator& op) { return shape_object(op.do_shape()); });
  });
  c.def("tensor", [](OperatorObject& core, const std::string& name) -> nb::object {
    if (!core.op->has_tensor(name)) return nb::none();
    return give(core.op->tensor(name));
  });
  c.def("all_tensors", [](OperatorObject& core) {
    nb::list all;
    for (const nb::object& tensor : core.seen)
      if (all.size() == 0 || !nb::object(all[all.size() - 1]).is(tensor)) all.append(tensor);
    return all;
  });
  c.def("operands", [](OperatorObject& core) {
    nb::list all;
    for (const linalg::OperatorRef& operand : core.op->operands()) all.append(shown(operand));
    return all;
  });
}

linalg::CirculantOperator& circulant_of(linalg::LinearOperator& op) {
  return dynamic_cast<linalg::CirculantOperator&>(op);
}

template <class C>
void bind_special(C& c) {
  c.def("block_depth", [](OperatorObject& core) { return circulant_of(*core.op).block_depth(); });
  c.def("block_shape",
        [](OperatorObject& core) { return shape_object(circulant_of(*core.op).block_shape()); });
  c.def("block_shape_tensor", [](OperatorObject& core) {
    return on_operator(core, nb::none(), [](linalg::LinearOperator& op) {
      return give(circulant_of(op).block_shape_tensor());
    });
  });
  c.def("convolution_kernel", [](OperatorObject& core, nb::handle name) {
    return on_operator(core, nb::none(), [&](linalg::LinearOperator& op) {
      return give(circulant_of(op).convolution_kernel({text_or_empty(name)}));
    });
  });
  c.def("assert_hermitian_spectrum", [](OperatorObject& core, nb::handle name) {
    return on_operator(core, nb::none(), [&](linalg::LinearOperator& op) {
      return give(circulant_of(op).assert_hermitian_spectrum({text_or_empty(name)}));
    });
  });
  c.def("is_diag_update_positive", [](OperatorObject& core) {
    return hint_object(
        dynamic_cast<linalg::LinearOperatorLowRankUpdate&>(*core.op).is_diag_update_positive());
  });
}

}  // namespace

bool is_operator(nb::handle object) {
  return !object.is_none() && nb::hasattr(object, "_core") &&
         nb::isinstance<OperatorObject>(nb::object(object.attr("_core")));
}

linalg::OperatorRef operator_of(nb::handle object) {
  if (!is_operator(object)) type_error("Expected a LinearOperator, got ", repr_of(object));
  return nb::inst_ptr<OperatorObject>(nb::object(object.attr("_core")))->op->self();
}

void bind_linear_operators(nb::module_& m) {
  m.def("matrices_with_common_batch", [](nb::handle matrices) {
    return built({nb::borrow(matrices)}, [&] {
      std::vector<Output> given;
      for (const Input& matrix : input_list(matrices, "matrix")) given.push_back(as_tensor(matrix));
      return linalg::with_common_batch(given);
    });
  });
  nb::class_<OperatorObject> c(m, "LinearOperatorCore");
  c.def("__init__", make_native_operator, nb::arg("owner"), nb::arg("kind"), nb::arg("arguments"));
  c.def("__init__", make_plain_operator, nb::arg("owner"), nb::arg("dtype").none(),
        nb::arg("graph_parents"), nb::arg("is_non_singular").none(),
        nb::arg("is_self_adjoint").none(), nb::arg("is_positive_definite").none(),
        nb::arg("is_square").none(), nb::arg("name"));
  c.def("own_answer", own_answer, nb::arg("name"), nb::arg("x") = nb::none(),
        nb::arg("adjoint") = false, nb::arg("adjoint_arg") = false);
  bind_operator_parts(c);
  bind_products(c);
  bind_operator_questions(c);
  bind_special(c);
}

}  // namespace rill::python
