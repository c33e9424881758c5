#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "call.h"
#include "contexts.h"
#include "dtypes.h"
#include "errors.h"
#include "inputs.h"
#include "kept.h"
#include "package.h"
#include "plain_values.h"
#include "rill/api/variables/variable_template.h"
#include "scopes.h"
#include "shapes.h"
#include "variable_scopes.h"
#include "variables.h"

namespace rill::python {
namespace {

// --- functions of programs ---------------------------------------------------------------------

nb::object part_object(const PartitionInfo* part) {
  if (part == nullptr) return nb::none();
  return package::partition_info(nb::cast(part->full_shape), nb::cast(part->var_offset));
}

Output as_result(nb::handle value, DType dtype) {
  return as_tensor(input_of(value, dtype, "", "initial_value"), "initial_value", dtype);
}

}  // namespace

Initializer initializer_of(nb::handle given) {
  if (given.is_none()) return {};
  nb::object value = nb::borrow(given);
  if (PyType_Check(value.ptr())) value = value();
  if (!PyCallable_Check(value.ptr()) || is_tensor(value) || is_variable(value))
    return Initializer(input_of(value, DType::invalid, "", "initial_value"));
  std::shared_ptr<void> held = keep(value);
  Initializer result(Initializer::Make([held](const Initializer::Request& r) {
    nb::object made = package::call_initializer(kept(held), shape_tuple(r.shape),
                                                dtype_object(r.dtype), part_object(r.part));
    return as_result(made, r.dtype);
  }));
  if (truth_of(package::takes_no_arguments(value)))
    result.without_shape = [held] { return as_result(kept(held)(), DType::invalid); };
  result.foreign = held;
  return result;
}

Regularizer regularizer_of(nb::handle given) {
  if (given.is_none()) return {};
  std::shared_ptr<void> held = keep(given);
  return {[held](const AnyVariable& variable) -> Output {
            nb::object loss = kept(held)(give(variable));
            return loss.is_none() ? Output()
                                  : as_tensor(input_of(loss, DType::invalid, "", "loss"));
          },
          held};
}

Partitioner partitioner_of(nb::handle given) {
  if (given.is_none()) return {};
  if (!PyCallable_Check(given.ptr()))
    value_error("Partitioner must be callable, but received: ", repr_of(given));
  std::shared_ptr<void> held = keep(given);
  return {[held](const PartialShape& shape, DType dtype) {
            nb::object found = kept(held)(nb::arg("shape") = shape_object(shape),
                                          nb::arg("dtype") = dtype_object(dtype));
            if (!nb::isinstance<nb::list>(found) && !nb::isinstance<nb::tuple>(found))
              value_error("Partitioner must return a sequence, but saw: ", repr_of(found));
            std::vector<std::int64_t> parts;
            for (nb::handle count : found) parts.push_back(integer_of(count));
            return parts;
          },
          held};
}

ConstraintFunction constraint_function(nb::handle given) {
  if (given.is_none()) return {};
  return {constraint_of(given), keep(given)};
}

Reuse reuse_of(nb::handle given) {
  if (given.is_none()) return Reuse::kUnset;
  if (given.is(package::auto_reuse.get())) return Reuse::kAuto;
  if (!PyBool_Check(given.ptr())) value_error("The reuse parameter must be True or False or None.");
  return truth_of(given) ? Reuse::kYes : Reuse::kNo;
}

nb::object initializer_object(const Initializer& initializer) {
  if (initializer.foreign) return kept(initializer.foreign);
  if (!initializer) return nb::none();
  if (initializer.value()) return give(as_tensor(*initializer.value()));
  return nb::cpp_function(
      [initializer](const std::vector<std::int64_t>& shape, nb::handle dtype, nb::handle) {
        return give(initializer({Shape(shape), base_type(as_dtype(dtype)), nullptr}));
      },
      nb::arg("shape"), nb::arg("dtype") = nb::none(), nb::arg("partition_info") = nb::none());
}

namespace {

AnyVariable any_of(nb::handle value) {
  if (is_variable(value)) return variable_object(value).variable;
  if (is_tensor(value)) return tensor_object(value).output;
  return std::shared_ptr<Collectable>(std::make_shared<CollectedObject>(nb::borrow(value)));
}

// --- options -----------------------------------------------------------------------------------

nb::object reuse_object(Reuse reuse) {
  if (reuse == Reuse::kUnset) return nb::none();
  if (reuse == Reuse::kAuto) return package::auto_reuse.get();
  return nb::cast(reuse == Reuse::kYes);
}

CustomGetter getter_of(nb::handle given);

GetVariableOptions get_variable_options(const nb::dict& given) {
  const auto at = [&](const char* name) {
    return given.contains(name) ? nb::object(given[name]) : nb::object(nb::none());
  };
  GetVariableOptions o;
  if (nb::object shape = at("shape"); !shape.is_none()) o.shape = as_shape(shape);
  if (nb::object dtype = at("dtype"); !dtype.is_none()) o.dtype = base_type(as_dtype(dtype));
  o.initializer = initializer_of(at("initializer"));
  o.regularizer = regularizer_of(at("regularizer"));
  o.reuse = reuse_of(at("reuse"));
  if (nb::object t = at("trainable"); !t.is_none()) o.trainable = truth_of(t);
  if (nb::object names = at("collections"); !names.is_none()) {
    o.collections.emplace();
    for (nb::handle name : names) o.collections->push_back(str_of(name));
  }
  if (nb::object device = at("caching_device"); !device.is_none())
    o.caching_device = device_choice_of(device);
  o.partitioner = partitioner_of(at("partitioner"));
  if (nb::object v = at("validate_shape"); !v.is_none()) o.validate_shape = truth_of(v);
  if (nb::object r = at("use_resource"); !r.is_none()) o.use_resource = truth_of(r);
  o.custom_getter = getter_of(at("custom_getter"));
  o.constraint = constraint_function(at("constraint"));
  o.synchronization = enum_of<VariableSynchronization>(at("synchronization"));
  o.aggregation = enum_of<VariableAggregation>(at("aggregation"));
  return o;
}

template <class T>
nb::object or_none(const std::optional<T>& value) {
  return value ? nb::cast(*value) : nb::object(nb::none());
}

// The shape as the program wrote it, for the getters that it calls.
thread_local nb::handle written_shape;

class WrittenShape {
 public:
  explicit WrittenShape(const nb::dict& given) : before_(written_shape) {
    written_shape = given.contains("shape") ? nb::handle(nb::object(given["shape"])) : nb::handle();
  }
  ~WrittenShape() { written_shape = before_; }
  WrittenShape(const WrittenShape&) = delete;
  WrittenShape& operator=(const WrittenShape&) = delete;

 private:
  nb::handle before_;
};

nb::object shape_argument(const std::optional<PartialShape>& shape) {
  if (!shape) return nb::none();
  if (written_shape.is_valid() && !written_shape.is_none() && as_shape(written_shape) == *shape)
    return nb::borrow(written_shape);
  if (!shape->is_full()) return shape_object(*shape);
  nb::list sizes;
  for (const std::int64_t size : shape->dims()) sizes.append(size);
  return sizes;
}

nb::dict arguments_of(const std::string& name, const GetVariableOptions& o) {
  nb::dict d;
  d["name"] = name;
  d["shape"] = shape_argument(o.shape);
  d["dtype"] = o.dtype == DType::invalid ? nb::object(nb::none()) : dtype_object(o.dtype);
  d["initializer"] = initializer_object(o.initializer);
  d["regularizer"] = kept(o.regularizer.foreign);
  d["reuse"] = reuse_object(o.reuse);
  d["trainable"] = o.trainable.value_or(o.synchronization != VariableSynchronization::ON_READ);
  d["collections"] = or_none(o.collections);
  d["caching_device"] = device_object(o.caching_device);
  d["partitioner"] = kept(o.partitioner.foreign);
  d["validate_shape"] = o.validate_shape;
  d["use_resource"] = or_none(o.use_resource);
  d["constraint"] = kept(o.constraint.foreign);
  d["synchronization"] = package::variable_synchronization(static_cast<int>(o.synchronization));
  d["aggregation"] = package::variable_aggregation(static_cast<int>(o.aggregation));
  return d;
}

// A getter as programs call it: by TensorFlow's names of the arguments.
nb::object getter_object(const Getter& getter) {
  nb::object call = nb::cpp_function([getter](const std::string& name, const nb::dict& options) {
    return building([&] { return give(getter(name, get_variable_options(options))); });
  });
  return package::getter(call);
}

CustomGetter getter_of(nb::handle given) {
  if (given.is_none()) return {};
  if (!PyCallable_Check(given.ptr()))
    value_error("Passed a custom_getter which is not callable: ", repr_of(given));
  std::shared_ptr<void> held = keep(given);
  return {[held](const Getter& getter, const std::string& name, const GetVariableOptions& o) {
            nb::dict arguments = arguments_of(name, o);
            arguments["getter"] = getter_object(getter);
            return any_of(kept(held)(**nb::borrow<nb::kwargs>(arguments)));
          },
          held};
}

VariableScopeOptions scope_options_of(const nb::dict& given) {
  const auto at = [&](const char* name) { return nb::object(given[name]); };
  VariableScopeOptions o;
  o.initializer = initializer_of(at("initializer"));
  o.regularizer = regularizer_of(at("regularizer"));
  if (!at("caching_device").is_none()) o.caching_device = device_choice_of(at("caching_device"));
  o.partitioner = partitioner_of(at("partitioner"));
  o.custom_getter = getter_of(at("custom_getter"));
  o.reuse = reuse_of(at("reuse"));
  if (!at("dtype").is_none()) o.dtype = base_type(as_dtype(at("dtype")));
  if (!at("use_resource").is_none()) o.use_resource = truth_of(at("use_resource"));
  o.constraint = constraint_function(at("constraint"));
  o.auxiliary_name_scope = truth_of(at("auxiliary_name_scope"));
  return o;
}

// --- scopes ------------------------------------------------------------------------------------

struct ScopeObject {
  VariableScopeRef scope;
};

}  // namespace

VariableScopeRef variable_scope_of(nb::handle given) {
  return nb::isinstance<ScopeObject>(given) ? nb::inst_ptr<ScopeObject>(given)->scope : nullptr;
}

nb::object give(const VariableScopeRef& scope) {
  nb::object type = package::variable_scope.get();
  nb::object object = nb::inst_alloc(type);
  new (nb::inst_ptr<ScopeObject>(object)) ScopeObject{scope};
  nb::inst_mark_ready(object);
  return object;
}

namespace {

// The context of `with tf.variable_scope(...)`; may be entered again after it was left.
nb::object variable_scope_context(nb::object name_or_scope, nb::object default_name,
                                  nb::dict options) {
  auto open = std::make_shared<std::vector<std::unique_ptr<VariableScopeBlock>>>();
  return make_context(
      [=] {
        return building([&] {
          const VariableScopeOptions o = scope_options_of(options);
          std::unique_ptr<VariableScopeBlock> block;
          if (nb::isinstance<ScopeObject>(name_or_scope)) {
            block = std::make_unique<VariableScopeBlock>(
                nb::inst_ptr<ScopeObject>(name_or_scope)->scope, o);
          } else if (!name_or_scope.is_none()) {
            block = std::make_unique<VariableScopeBlock>(str_of(name_or_scope), o);
          } else {
            block = VariableScopeBlock::with_default_name(str_of(default_name), o);
          }
          nb::object scope = give(block->scope());
          open->push_back(std::move(block));
          return scope;
        });
      },
      [=] { open->pop_back(); });
}

void bind_scope(nb::module_& m) {
  nb::class_<ScopeObject> c(m, "VariableScopeBase", nb::dynamic_attr());
  c.def("__init__", [](ScopeObject* self, const nb::dict& options, const std::string& name,
                       const std::string& name_scope) {
    new (self) ScopeObject{std::make_shared<VariableScope>()};
    VariableScope& s = *self->scope;
    const VariableScopeOptions o = scope_options_of(options);
    s.name = name;
    s.original_name_scope = name_scope;
    s.reuse = o.reuse;
    s.initializer = o.initializer;
    s.regularizer = o.regularizer;
    s.caching_device = o.caching_device;
    s.partitioner = o.partitioner;
    s.custom_getter = o.custom_getter;
    if (o.dtype != DType::invalid) s.dtype = o.dtype;
    s.use_resource = o.use_resource;
    s.constraint = o.constraint;
  });
  c.def_prop_ro("name", [](ScopeObject& o) { return o.scope->name; });
  c.def_prop_ro("original_name_scope", [](ScopeObject& o) { return o.scope->original_name_scope; });
  c.def_prop_ro("reuse", [](ScopeObject& o) { return reuse_object(o.scope->reuse); });
  c.def_prop_ro("initializer",
                [](ScopeObject& o) { return initializer_object(o.scope->initializer); });
  c.def_prop_ro("regularizer", [](ScopeObject& o) { return kept(o.scope->regularizer.foreign); });
  c.def_prop_ro("caching_device",
                [](ScopeObject& o) { return device_object(o.scope->caching_device); });
  c.def_prop_ro("partitioner", [](ScopeObject& o) { return kept(o.scope->partitioner.foreign); });
  c.def_prop_ro("custom_getter",
                [](ScopeObject& o) { return kept(o.scope->custom_getter.foreign); });
  c.def_prop_ro("dtype", [](ScopeObject& o) { return dtype_object(o.scope->dtype); });
  c.def_prop_ro("use_resource", [](ScopeObject& o) { return or_none(o.scope->use_resource); });
  c.def_prop_ro("constraint", [](ScopeObject& o) { return kept(o.scope->constraint.foreign); });
  c.def("reuse_variables", [](ScopeObject& o) { o.scope->reuse_variables(); });
  const auto setter = [&](const char* name, auto set) {
    c.def(
        str_cat("set_", name).c_str(),
        [set](ScopeObject& o, nb::handle value) { set(*o.scope, value); }, nb::arg(name).none());
  };
  setter("initializer", [](VariableScope& s, nb::handle v) { s.initializer = initializer_of(v); });
  setter("regularizer", [](VariableScope& s, nb::handle v) { s.regularizer = regularizer_of(v); });
  setter("partitioner", [](VariableScope& s, nb::handle v) { s.partitioner = partitioner_of(v); });
  setter("custom_getter", [](VariableScope& s, nb::handle v) { s.custom_getter = getter_of(v); });
  setter("dtype", [](VariableScope& s, nb::handle v) { s.dtype = base_type(as_dtype(v)); });
  setter("use_resource", [](VariableScope& s, nb::handle v) { s.use_resource = truth_of(v); });
  setter("caching_device",
         [](VariableScope& s, nb::handle v) { s.caching_device = device_choice_of(v); });
  c.def("_get_variable", [](ScopeObject& o, const std::string& name, const nb::dict& options) {
    const InCallersPlace place({});
    const WrittenShape written(options);
    return building(
        [&] { return give(o.scope->get_variable(name, get_variable_options(options))); });
  });
}

}  // namespace

nb::object give(const AnyVariable& variable) {
  if (const auto* plain = std::get_if<Variable>(&variable)) return give(*plain);
  if (const auto* tensor = std::get_if<Output>(&variable)) return give(*tensor);
  if (const auto* foreign = std::get_if<std::shared_ptr<Collectable>>(&variable))
    return dynamic_cast<CollectedObject&>(**foreign).object;
  const auto& parts = std::get<PartitionedVariableRef>(variable);
  return give(parts);
}

nb::object partitioner_object(const Partitioner& partitioner) {
  return nb::cpp_function(
      [partitioner](nb::handle shape, nb::handle dtype, nb::kwargs) {
        return building([&] {
          return nb::cast(partitioner.split(as_shape(shape), base_type(as_dtype(dtype))));
        });
      },
      nb::arg("shape"), nb::arg("dtype"), nb::arg("kwargs"));
}

// A template between two runs of its function; `enter` and `leave` come in pairs.
struct TemplateObject {
  explicit TemplateObject(Template t) : shared(std::move(t)) {}
  TemplateObject(const TemplateObject&) = delete;
  TemplateObject& operator=(const TemplateObject&) = delete;

  Template shared;
  std::vector<std::pair<std::unique_ptr<VariableScopeBlock>, std::size_t>> open;
};

void bind_template(nb::module_& m) {
  nb::class_<TemplateObject> c(m, "TemplateBase", nb::dynamic_attr());
  c.def(
      "__init__",
      [](TemplateObject* self, const std::string& name, bool create_scope_now,
         nb::handle unique_name, nb::handle custom_getter) {
        TemplateOptions options{create_scope_now, unique_name.is_none() ? "" : str_of(unique_name),
                                getter_of(custom_getter)};
        building([&] { new (self) TemplateObject(Template(name, std::move(options))); });
      },
      nb::arg("name"), nb::arg("create_scope_now"), nb::arg("unique_name").none(),
      nb::arg("custom_getter").none());
  c.def("_enter", [](TemplateObject& t) {
    building([&] { t.open.emplace_back(t.shared.enter(), Template::trainable_count()); });
  });
  c.def("_leave", [](TemplateObject& t, bool failed) {
    const auto [block, before] = std::move(t.open.back());
    t.open.pop_back();
    if (!failed) building([&] { t.shared.leave(before); });
  });
  c.def_prop_ro("name", [](TemplateObject& t) { return t.shared.name(); });
  c.def_prop_ro("variable_scope", [](TemplateObject& t) -> nb::object {
    return t.shared.scope() ? give(t.shared.scope()) : nb::object(nb::none());
  });
}

void bind_variable_scopes(nb::module_& m) {
  bind_scope(m);
  bind_template(m);
  m.def("variable_scope_context", variable_scope_context, nb::arg("name_or_scope").none(),
        nb::arg("default_name").none(), nb::arg("options"));
  m.def("get_variable_scope", [] { return give(get_variable_scope()); });
  m.def("get_own_variable", [](const nb::dict& options) {
    const InCallersPlace place({});
    return building([&] {
      return give(get_variable_scope()->get_own_variable(get_variable_options(options)));
    });
  });
  m.def("get_variable", [](const std::string& name, const nb::dict& options) {
    const InCallersPlace place({});
    const WrittenShape written(options);
    return building([&] { return give(get_any_variable(name, get_variable_options(options))); });
  });
}

}  // namespace rill::python
