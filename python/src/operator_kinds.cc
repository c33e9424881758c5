#include "operator_kinds.h"

#include "named_arguments.h"
#include "rill/api/linalg/operators.h"

namespace rill::python {
namespace {

class OperatorArguments : public NamedArguments {
 public:
  using NamedArguments::NamedArguments;

  DType dtype(const char* name, DType if_none) const {
    const nb::object value = (*this)[name];
    return value.is_none() ? if_none : base_type(as_dtype(value));
  }
  std::vector<linalg::OperatorRef> operators(const char* name) const {
    const nb::object list = (*this)[name];
    if (PyUnicode_Check(list.ptr()) || is_tensor(list) || !nb::hasattr(list, "__iter__"))
      type_error("Expected argument \"values\" to be iterable, but is of type ", type_name_of(list),
                 ".");
    std::vector<linalg::OperatorRef> all;
    for (nb::handle item : list) all.push_back(operator_of(item));
    return all;
  }
  template <class Options>
  Options options() const {
    Options options;
    options.is_non_singular = hint_of((*this)["is_non_singular"]);
    options.is_self_adjoint = hint_of((*this)["is_self_adjoint"]);
    options.is_positive_definite = hint_of((*this)["is_positive_definite"]);
    options.is_square = hint_of((*this)["is_square"]);
    options.name = text("name");
    return options;
  }
  template <class Options>
  Options sized() const {
    auto options = this->options<Options>();
    if (const nb::object batch = (*this)["batch_shape"]; !batch.is_none())
      options.batch_shape = shape_input(batch);
    options.dtype = dtype("dtype", DType::f32);
    options.assert_proper_shapes = hint_of((*this)["assert_proper_shapes"]).value_or(false);
    return options;
  }
};

template <class Class>
linalg::OperatorRef of_tensor(const OperatorArguments& a, const char* name) {
  return std::make_shared<Class>(a.input(name), a.options<linalg::OperatorOptions>());
}
template <class Class>
linalg::OperatorRef of_operators(const OperatorArguments& a) {
  return std::make_shared<Class>(a.operators("operators"), a.options<linalg::OperatorOptions>());
}
template <class Class>
linalg::OperatorRef of_operator(const OperatorArguments& a) {
  return std::make_shared<Class>(operator_of(a["operator"]), a.options<linalg::OperatorOptions>());
}
template <class Class>
linalg::OperatorRef circulant(const OperatorArguments& a) {
  auto options = a.options<linalg::CirculantOptions>();
  options.input_output_dtype = a.dtype("input_output_dtype", DType::c64);
  return std::make_shared<Class>(a.input("spectrum"), options);
}
linalg::OperatorRef scaled_identity(const OperatorArguments& a) {
  auto options = a.options<linalg::ScaledIdentityOptions>();
  options.assert_proper_shapes = hint_of(a["assert_proper_shapes"]).value_or(false);
  return std::make_shared<linalg::LinearOperatorScaledIdentity>(a.input("num_rows"),
                                                                a.input("multiplier"), options);
}
linalg::OperatorRef zeros_operator(const OperatorArguments& a) {
  auto options = a.sized<linalg::ZerosOperatorOptions>();
  options.num_columns = a.optional_input("num_columns");
  return std::make_shared<linalg::LinearOperatorZeros>(a.input("num_rows"), options);
}
linalg::OperatorRef low_rank_update(const OperatorArguments& a) {
  auto options = a.options<linalg::LowRankOptions>();
  options.diag_update = a.optional_input("diag_update");
  options.v = a.optional_input("v");
  options.is_diag_update_positive = hint_of(a["is_diag_update_positive"]);
  return std::make_shared<linalg::LinearOperatorLowRankUpdate>(operator_of(a["base_operator"]),
                                                               a.input("u"), options);
}

struct OperatorKind {
  const char* name;
  linalg::OperatorRef (*make)(const OperatorArguments& a);
};
constexpr OperatorKind kOperatorKinds[] = {
    {"FullMatrix",
     [](const OperatorArguments& a) {
       return of_tensor<linalg::LinearOperatorFullMatrix>(a, "matrix");
     }},
    {"LowerTriangular",
     [](const OperatorArguments& a) {
       return of_tensor<linalg::LinearOperatorLowerTriangular>(a, "tril");
     }},
    {"Diag",
     [](const OperatorArguments& a) { return of_tensor<linalg::LinearOperatorDiag>(a, "diag"); }},
    {"Householder",
     [](const OperatorArguments& a) {
       return of_tensor<linalg::LinearOperatorHouseholder>(a, "reflection_axis");
     }},
    {"Identity",
     [](const OperatorArguments& a) -> linalg::OperatorRef {
       return std::make_shared<linalg::LinearOperatorIdentity>(
           a.input("num_rows"), a.sized<linalg::SizedOperatorOptions>());
     }},
    {"ScaledIdentity", scaled_identity},
    {"Zeros", zeros_operator},
    {"Adjoint", of_operator<linalg::LinearOperatorAdjoint>},
    {"Inversion", of_operator<linalg::LinearOperatorInversion>},
    {"Composition", of_operators<linalg::LinearOperatorComposition>},
    {"Kronecker", of_operators<linalg::LinearOperatorKronecker>},
    {"BlockDiag", of_operators<linalg::LinearOperatorBlockDiag>},
    {"LowRankUpdate", low_rank_update},
    {"Circulant", circulant<linalg::LinearOperatorCirculant>},
    {"Circulant2D", circulant<linalg::LinearOperatorCirculant2D>},
    {"Circulant3D", circulant<linalg::LinearOperatorCirculant3D>},
    {"Toeplitz",
     [](const OperatorArguments& a) -> linalg::OperatorRef {
       return std::make_shared<linalg::LinearOperatorToeplitz>(
           a.input("col"), a.input("row"), a.options<linalg::OperatorOptions>());
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

linalg::OperatorRef make_operator(const std::string& kind, const nb::dict& arguments) {
  for (const OperatorKind& known : kOperatorKinds)
    if (kind == known.name) return known.make(OperatorArguments(arguments));
  value_error("there is no operator ", kind);
}

}  // namespace rill::python
