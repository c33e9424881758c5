#include "operator_kinds.h"

#include "array_functions.h"
#include "dtypes.h"
#include "errors.h"
#include "inputs.h"
#include "rill/api/linalg/operators.h"
#include "truth.h"

namespace rill::python {
namespace {

using namespace linalg;

class Arguments {
 public:
  explicit Arguments(const nb::dict& all) : all_(all) {}

  nb::object operator[](const char* name) const { return all_[name]; }
  Input input(const char* name) const {
    const nb::object value = all_[name];
    if (value.is_none()) value_error("None values not supported.");
    return input_of(value, DType::invalid, "", name);
  }
  std::optional<Input> optional_input(const char* name) const {
    if (nb::object(all_[name]).is_none()) return {};
    return input(name);
  }
  DType dtype(const char* name, DType if_none) const {
    const nb::object value = all_[name];
    return value.is_none() ? if_none : base_type(as_dtype(value));
  }
  std::vector<OperatorRef> operators(const char* name) const {
    const nb::object list = all_[name];
    if (PyUnicode_Check(list.ptr()) || is_tensor(list) || !nb::hasattr(list, "__iter__"))
      type_error("Expected argument \"values\" to be iterable, but is of type ", type_name_of(list),
                 ".");
    std::vector<OperatorRef> all;
    for (nb::handle item : list) all.push_back(operator_of(item));
    return all;
  }
  std::string name() const {
    const nb::object value = all_["name"];
    return value.is_none() ? "" : str_of(value);
  }
  template <class Options>
  Options options() const {
    Options options;
    options.is_non_singular = hint_of(all_["is_non_singular"]);
    options.is_self_adjoint = hint_of(all_["is_self_adjoint"]);
    options.is_positive_definite = hint_of(all_["is_positive_definite"]);
    options.is_square = hint_of(all_["is_square"]);
    options.name = name();
    return options;
  }
  template <class Options>
  Options sized() const {
    auto options = this->options<Options>();
    if (const nb::object batch = all_["batch_shape"]; !batch.is_none())
      options.batch_shape = shape_input(batch);
    options.dtype = dtype("dtype", DType::f32);
    options.assert_proper_shapes = hint_of(all_["assert_proper_shapes"]).value_or(false);
    return options;
  }

 private:
  const nb::dict& all_;
};

template <class Class>
OperatorRef of_tensor(const Arguments& a, const char* name) {
  return std::make_shared<Class>(a.input(name), a.options<OperatorOptions>());
}
template <class Class>
OperatorRef of_operators(const Arguments& a) {
  return std::make_shared<Class>(a.operators("operators"), a.options<OperatorOptions>());
}
template <class Class>
OperatorRef of_operator(const Arguments& a) {
  return std::make_shared<Class>(operator_of(a["operator"]), a.options<OperatorOptions>());
}
template <class Class>
OperatorRef circulant(const Arguments& a) {
  auto options = a.options<CirculantOptions>();
  options.input_output_dtype = a.dtype("input_output_dtype", DType::c64);
  return std::make_shared<Class>(a.input("spectrum"), options);
}
OperatorRef scaled_identity(const Arguments& a) {
  auto options = a.options<ScaledIdentityOptions>();
  options.assert_proper_shapes = hint_of(a["assert_proper_shapes"]).value_or(false);
  return std::make_shared<LinearOperatorScaledIdentity>(a.input("num_rows"), a.input("multiplier"),
                                                        options);
}
OperatorRef zeros_operator(const Arguments& a) {
  auto options = a.sized<ZerosOperatorOptions>();
  options.num_columns = a.optional_input("num_columns");
  return std::make_shared<LinearOperatorZeros>(a.input("num_rows"), options);
}
OperatorRef low_rank_update(const Arguments& a) {
  auto options = a.options<LowRankOptions>();
  options.diag_update = a.optional_input("diag_update");
  options.v = a.optional_input("v");
  options.is_diag_update_positive = hint_of(a["is_diag_update_positive"]);
  return std::make_shared<LinearOperatorLowRankUpdate>(operator_of(a["base_operator"]),
                                                       a.input("u"), options);
}

struct Kind {
  const char* name;
  OperatorRef (*make)(const Arguments& a);
};
constexpr Kind kKinds[] = {
    {"FullMatrix",
     [](const Arguments& a) { return of_tensor<LinearOperatorFullMatrix>(a, "matrix"); }},
    {"LowerTriangular",
     [](const Arguments& a) { return of_tensor<LinearOperatorLowerTriangular>(a, "tril"); }},
    {"Diag", [](const Arguments& a) { return of_tensor<LinearOperatorDiag>(a, "diag"); }},
    {"Householder",
     [](const Arguments& a) { return of_tensor<LinearOperatorHouseholder>(a, "reflection_axis"); }},
    {"Identity",
     [](const Arguments& a) -> OperatorRef {
       return std::make_shared<LinearOperatorIdentity>(a.input("num_rows"),
                                                       a.sized<SizedOperatorOptions>());
     }},
    {"ScaledIdentity", scaled_identity},
    {"Zeros", zeros_operator},
    {"Adjoint", of_operator<LinearOperatorAdjoint>},
    {"Inversion", of_operator<LinearOperatorInversion>},
    {"Composition", of_operators<LinearOperatorComposition>},
    {"Kronecker", of_operators<LinearOperatorKronecker>},
    {"BlockDiag", of_operators<LinearOperatorBlockDiag>},
    {"LowRankUpdate", low_rank_update},
    {"Circulant", circulant<LinearOperatorCirculant>},
    {"Circulant2D", circulant<LinearOperatorCirculant2D>},
    {"Circulant3D", circulant<LinearOperatorCirculant3D>},
    {"Toeplitz",
     [](const Arguments& a) -> OperatorRef {
       return std::make_shared<LinearOperatorToeplitz>(a.input("col"), a.input("row"),
                                                       a.options<OperatorOptions>());
     }},
};

}  // namespace

std::optional<bool> hint_of(nb::handle value) {
  if (value.is_none()) return {};
  return truth_of(value);
}
nb::object hint_object(std::optional<bool> hint) {
  return hint ? nb::object(nb::bool_(*hint)) : nb::none();
}

OperatorRef make_operator(const std::string& kind, const nb::dict& arguments) {
  for (const Kind& known : kKinds)
    if (kind == known.name) return known.make(Arguments(arguments));
  value_error("there is no operator ", kind);
}

}  // namespace rill::python
