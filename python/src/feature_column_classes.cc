// Columns and managers of state of a program's own classes, and what they get.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "class_call.h"
#include "feature_columns.h"
#include "kept.h"
#include "package.h"
#include "parse_features.h"
#include "plain_values.h"
#include "rill/api/feature_column/scope_state.h"
#include "sparse_tensors.h"
#include "variable_scopes.h"
#include "variables.h"

namespace rill::python {
namespace {

bool is_a(nb::handle object, const package::Member& one, const package::Member& other) {
  return nb::isinstance(object, one.get()) || nb::isinstance(object, other.get());
}

AnyVariable any_variable_of(nb::handle value) {
  if (is_tensor(value)) return tensor_object(value).output;
  if (is_variable(value)) return variable_of(value);
  if (auto parts = partitioned_of(value)) return parts;
  type_error("Expected a variable, got ", repr_of(value));
}

// Tables that columns made for one manager.
struct Tables {
  std::map<std::string, std::shared_ptr<lookup::LookupTable>> by_name;
};

// A manager of Python.
class PythonState : public columns::StateManager {
 public:
  explicit PythonState(nb::handle manager) : manager_(keep(manager)) {}

  void create_variable(const columns::FeatureColumn& column, const std::string& name,
                       const VariableRequest& request) override {
    nb::list shape;
    for (const std::int64_t dim : request.shape.dims()) shape.append(dim);
    manager().attr("create_variable")(
        column_object(column), nb::arg("name") = name, nb::arg("shape") = nb::tuple(shape),
        nb::arg("dtype") = dtype_object(DType::f32), nb::arg("trainable") = request.trainable,
        nb::arg("use_resource") = true,
        nb::arg("initializer") = nb::object(column_object(column).attr("initializer")));
  }
  AnyVariable get_variable(const columns::FeatureColumn& column, const std::string& name,
                           const VariableRequest&) override {
    return any_variable_of(nb::object(manager().attr("get_variable")(column_object(column), name)));
  }
  std::shared_ptr<lookup::LookupTable> table(const columns::FeatureColumn& column,
                                             const std::string& name,
                                             const MakeTable& make) override {
    nb::object held = manager();
    if (!nb::hasattr(held, "_tables")) held.attr("_tables") = nb::cast(Tables());
    auto& tables = nb::cast<Tables&>(nb::object(held.attr("_tables"))).by_name;
    auto& table = tables[column.text() + name];
    if (table == nullptr) table = make();
    return table;
  }
  bool keeps_state() const override { return true; }
  nb::object manager() const { return kept(manager_); }

 private:
  std::shared_ptr<void> manager_;
};

// What a method of a program's column is called with.
class MethodCall {
 public:
  MethodCall(columns::FeatureTransformationCache& cache, columns::StateManager& state)
      : builder_(nb::cast(BuilderObject{{&cache, [](auto*) {}}, &state})), state_(state) {}
  ~MethodCall() { nb::cast<BuilderObject&>(builder_).cache.reset(); }

  nb::object operator()(nb::handle column, const char* method, bool with_collections) const {
    const auto* scope = dynamic_cast<const columns::ScopeState*>(&state_);
    const std::string old = std::string("_") + method;
    if (scope == nullptr || !nb::hasattr(column, old.c_str())) {
      const auto* python = dynamic_cast<const PythonState*>(&state_);
      return column.attr(method)(builder_, python ? python->manager() : nb::object(nb::none()));
    }
    if (!with_collections) return column.attr(old.c_str())(builder_);
    const auto& collections = scope->collections();
    return column.attr(old.c_str())(builder_,
                                    nb::arg("weight_collections") = collections
                                                                        ? nb::cast(*collections)
                                                                        : nb::object(nb::none()),
                                    nb::arg("trainable") = scope->trainable());
  }

 private:
  nb::object builder_;
  columns::StateManager& state_;
};

nb::object attribute(nb::handle object, const char* name) {
  const std::string old = std::string("_") + name;
  return object.attr(nb::hasattr(object, old.c_str()) ? old.c_str() : name);
}

class ProgramsColumn : public virtual columns::FeatureColumn {
 public:
  std::string name() const override { return str_of(nb::object(self().attr("name"))); }
  std::string var_scope_name() const override {
    return nb::hasattr(self(), "_var_scope_name")
               ? str_of(nb::object(self().attr("_var_scope_name")))
               : name();
  }
  rill::Features parse_example_spec() const override {
    return features_of(attribute(self(), "parse_example_spec"));
  }
  columns::Transformed transform_feature(columns::FeatureTransformationCache& cache,
                                         columns::StateManager& state) const override {
    return transformed_of(MethodCall(cache, state)(self(), "transform_feature", false));
  }
  void create_state(columns::StateManager& state) const override {
    const auto* python = dynamic_cast<const PythonState*>(&state);
    if (python && nb::hasattr(self(), "create_state"))
      self().attr("create_state")(python->manager());
  }

 protected:
  std::string make_text() const override { return repr_of(self()); }
  nb::object self() const { return kept(foreign.object); }
};

class ProgramsDenseColumn : public virtual ProgramsColumn, public columns::DenseColumn {
 public:
  PartialShape variable_shape() const override {
    return as_shape(attribute(self(), "variable_shape"));
  }
  Output get_dense_tensor(columns::FeatureTransformationCache& cache,
                          columns::StateManager& state) const override {
    return columns::dense(
        transformed_of(MethodCall(cache, state)(self(), "get_dense_tensor", true)));
  }
};

class ProgramsCategoricalColumn : public virtual ProgramsColumn, public columns::CategoricalColumn {
 public:
  std::int64_t num_buckets() const override {
    return integer_of(nb::int_(attribute(self(), "num_buckets")));
  }
  columns::IdWeightPair get_sparse_tensors(columns::FeatureTransformationCache& cache,
                                           columns::StateManager& state) const override {
    const columns::Transformed made =
        transformed_of(MethodCall(cache, state)(self(), "get_sparse_tensors", true));
    if (const auto* ids = std::get_if<SparseTensor>(&made)) return {*ids, {}};
    return std::get<columns::IdWeightPair>(made);
  }
};

class ProgramsSequenceColumn : public virtual ProgramsColumn, public columns::SequenceDenseColumn {
 public:
  PartialShape sequence_shape() const override {
    return as_shape(attribute(self(), "variable_shape"));
  }
  columns::TensorSequenceLengthPair get_sequence_dense_tensor(
      columns::FeatureTransformationCache& cache, columns::StateManager& state) const override {
    const nb::object both = MethodCall(cache, state)(self(), "get_sequence_dense_tensor", true);
    return {columns::dense(transformed_of(nb::object(both[0]))),
            columns::dense(transformed_of(nb::object(both[1])))};
  }
};

template <class... Kinds>
struct ProgramsKinds : Kinds... {};

nb::object get_made(BuilderObject& builder, nb::handle key, nb::handle manager, nb::handle) {
  const InCallersPlace place({});
  ChosenState own(manager, nb::none(), nb::none());
  columns::StateManager& state =
      builder.state != nullptr && manager.is_none() ? *builder.state : own.get();
  return building([&] {
    if (PyUnicode_Check(key.ptr())) return give(builder.get().get(str_of(key), state));
    if (!is_column(key))
      type_error("\"key\" must be either a \"str\" or \"_FeatureColumn\". Provided: ", str_of(key));
    return give(builder.get().get(*column_of(key), state));
  });
}

}  // namespace

columns::ColumnRef programs_column(nb::handle object) {
  if (!is_a(object, package::column, package::old_column)) return nullptr;
  const bool dense = is_a(object, package::dense, package::old_dense);
  const bool categorical = is_a(object, package::categorical, package::old_categorical);
  if (dense && categorical)
    return std::make_shared<ProgramsKinds<ProgramsDenseColumn, ProgramsCategoricalColumn>>();
  const bool sequence = is_a(object, package::sequence_dense, package::old_sequence_dense);
  if (dense && sequence)
    return std::make_shared<ProgramsKinds<ProgramsDenseColumn, ProgramsSequenceColumn>>();
  if (dense) return std::make_shared<ProgramsDenseColumn>();
  if (categorical) return std::make_shared<ProgramsCategoricalColumn>();
  if (sequence) return std::make_shared<ProgramsSequenceColumn>();
  return std::make_shared<ProgramsColumn>();
}

ChosenState::ChosenState(nb::handle manager, nb::handle collections, nb::handle trainable) {
  if (!manager.is_none()) {
    state = std::make_shared<PythonState>(manager);
    return;
  }
  std::optional<std::vector<std::string>> names;
  if (!collections.is_none()) {
    names.emplace();
    for (nb::handle name : nb::borrow(collections)) names->push_back(str_of(name));
  }
  state = std::make_shared<columns::ScopeState>(std::move(names),
                                                trainable.is_none() || truth_of(trainable));
}

columns::FeatureTransformationCache& BuilderObject::get() const {
  if (cache == nullptr) value_error("The features are those of a call that has ended.");
  return *cache;
}

void bind_feature_columns(nb::module_& m) {
  nb::class_<Tables>(m, "ColumnTables");
  bind_kept_columns(m);
  nb::class_<BuilderObject>(m, "FeatureTransformationCache", nb::dynamic_attr())
      .def(
          "__init__",
          [](BuilderObject* self, nb::handle features) {
            new (self) BuilderObject{
                std::make_shared<columns::FeatureTransformationCache>(column_features(features))};
          },
          nb::arg("features"))
      .def("get", get_made, nb::arg("key"), nb::arg("state_manager") = nb::none(),
           nb::arg("training") = nb::none());
}

}  // namespace rill::python
