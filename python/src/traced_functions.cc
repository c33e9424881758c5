#include "traced_functions.h"

#include <nanobind/stl/string.h>

#include <memory>
#include <unordered_map>

#include "call.h"
#include "dtypes.h"
#include "errors.h"
#include "inputs.h"
#include "interpreter_lock.h"
#include "objects.h"
#include "origin.h"
#include "plain_values.h"
#include "protos.h"
#include "rill/api/core/functional_flow.h"
#include "rill/api/function/concrete_function.h"
#include "rill/graph/function_proto.h"
#include "shapes.h"
#include "signature_key.h"
#include "tensorflow/core/framework/function.pb.h"
#include "variables.h"

namespace rill::python {
namespace {

// --- traces ------------------------------------------------------------------------------------

// The body of a function while Python builds it.
struct TraceObject {
  TraceObject(const std::string& name, bool may_make_variables)
      : outer(wrap(default_graph())),
        trace(std::make_unique<FunctionTrace>(name, may_make_variables
                                                        ? FunctionTrace::NewVariables::kMake
                                                        : FunctionTrace::NewVariables::kRefuse)),
        body(new_graph_object(trace->body())) {}
  nb::object outer;
  std::unique_ptr<FunctionTrace> trace;
  nb::object body;
};

struct TracedFunctionObject {
  std::shared_ptr<ConcreteFunction> function;
  nb::object outer, body;  // keep the graphs' objects
};

nb::object add_trace_argument(TraceObject& self, nb::handle dtype, nb::handle shape,
                              const std::string& name, nb::handle given) {
  const PartialShape partial = shape.is_none() ? PartialShape() : as_shape(shape);
  return building([&] {
    const Output value = given.is_none() ? Output() : tensor_object(given).output;
    return wrap(graph_object(self.body),
                self.trace->add_argument(as_dtype(dtype), partial, name, value));
  });
}

TracedFunctionObject finish_trace(TraceObject& self, nb::handle results) {
  std::vector<Output> outputs;
  for (nb::handle result : results) outputs.push_back(tensor_object(result).output);
  return building([&] {
    return TracedFunctionObject{self.trace->finish(std::move(outputs)), self.outer, self.body};
  });
}

// --- calls -------------------------------------------------------------------------------------

std::vector<Output> run(const ConcreteFunction& function, std::span<const Output> arguments) {
  return building([&] {
    const MadeAt here(capture_origin());
    if (!executing_eagerly()) return function(arguments);
    function.prepare(arguments);
    const WithoutLock others_run;  // functions of Python may be among what it calls
    return function(arguments);
  });
}

nb::list call_concrete(const TracedFunctionObject& self, nb::handle arguments) {
  std::vector<Output> given;
  for (nb::handle argument : arguments) given.push_back(tensor_object(argument).output);
  return nb::list(give(run(*self.function, given)));
}

nb::list tensors_of_body(const TracedFunctionObject& self, std::span<const Output> outputs) {
  nb::list list;
  for (const Output& output : outputs) list.append(wrap(graph_object(self.body), output));
  return list;
}

nb::object definition_message(const TracedFunctionObject& self) {
  tensorflow::FunctionDef def;
  to_proto(*self.function->definition(), &def);
  return message_from_bytes("tensorflow/core/framework/function.proto", "FunctionDef",
                            def.SerializeAsString());
}

nb::list captured_tensors(const TracedFunctionObject& self) {
  nb::list list;
  for (const Output& captured : self.function->captured()) list.append(give(captured));
  return list;
}

nb::list captured_variables(const TracedFunctionObject& self) {
  nb::list list;
  for (const Output& captured : self.function->captured())
    if (base_type(captured.dtype()) == DType::resource && captured.node->is_executed())
      if (nb::object variable = eager_variable(captured); !variable.is_none())
        list.append(variable);
  return list;
}

// --- signatures --------------------------------------------------------------------------------

// The concrete functions of a program's function by the signatures of calls.
class FunctionCache {
 public:
  // None where no call with such arguments came before, else a tuple of the result alone.
  nb::object call(nb::handle args, nb::handle kwargs) {
    SignatureKey key;
    building([&] {
      key.add_call(args, kwargs);
      return 0;
    });
    const Entry* entry = find(key);
    if (entry == nullptr) return nb::none();
    const nb::object kept = entry->concrete;  // the entry may go while it runs
    const nb::object pack = entry->pack;
    const auto results = run(*nb::cast<const TracedFunctionObject&>(kept).function, key.tensors);
    return nb::make_tuple(packed(pack, results));
  }

  // None, or the concrete function.
  nb::object concrete(nb::handle args, nb::handle kwargs) {
    SignatureKey key;
    key.add_call(args, kwargs);
    const Entry* entry = find(key);
    return entry == nullptr ? nb::none() : entry->concrete;
  }

  // `pack`: None where the only result is a tensor, else what is called with the list of tensors.
  void add(nb::handle args, nb::handle kwargs, nb::object concrete, nb::object pack) {
    SignatureKey key;
    key.add_call(args, kwargs);
    Entry entry{std::move(concrete), std::move(pack), {}};
    for (nb::handle object : key.objects) entry.objects.push_back(reference_to(object));
    entries_.insert_or_assign(full_key(key), std::move(entry));
  }

  std::size_t size() const { return entries_.size(); }
  void clear() { entries_.clear(); }

 private:
  struct Entry {
    nb::object concrete, pack;
    // What is told apart by where it lies: another object may lie there later.
    std::vector<nb::object> objects;
  };

  static std::string full_key(const SignatureKey& key) {
    const void* const library = default_graph()->functions().get();
    std::string full(reinterpret_cast<const char*>(&library), sizeof library);
    return full += key.bytes();
  }

  // A weak reference, or the object where there is none to it.
  static nb::object reference_to(nb::handle object) {
    PyObject* const weak = PyWeakref_NewRef(object.ptr(), nullptr);
    if (weak != nullptr) return nb::steal(weak);
    PyErr_Clear();
    return nb::borrow(object);
  }

  static bool is_still(const nb::object& reference, nb::handle object) {
    if (!PyWeakref_Check(reference.ptr())) return reference.is(object);
    return reference().is(object);
  }

  const Entry* find(const SignatureKey& key) {
    const auto found = entries_.find(full_key(key));
    if (found == entries_.end()) return nullptr;
    for (std::size_t i = 0; i < key.objects.size(); ++i)
      if (!is_still(found->second.objects[i], key.objects[i])) return nullptr;
    return &found->second;
  }

  static nb::object packed(const nb::object& pack, const std::vector<Output>& results) {
    if (pack.is_none()) return give(results.at(0));
    return pack(give(results));
  }

  std::unordered_map<std::string, Entry> entries_;
};

}  // namespace

std::shared_ptr<const ConcreteFunction> traced_function(nb::handle object) {
  return nb::cast<const TracedFunctionObject&>(object).function;
}

void bind_traced_functions(nb::module_& m) {
  nb::class_<TraceObject>(m, "FunctionTrace")
      .def(nb::init<const std::string&, bool>(), nb::arg("name"), nb::arg("may_make_variables"))
      .def_prop_ro("graph", [](TraceObject& t) { return t.body; })
      .def("add_argument", add_trace_argument, nb::arg("dtype"), nb::arg("shape").none(),
           nb::arg("name"), nb::arg("given") = nb::none())
      .def_prop_ro("new_variables", [](TraceObject& t) { return t.trace->new_variables(); })
      .def("finish", finish_trace, nb::arg("results"));
  nb::class_<TracedFunctionObject>(m, "ConcreteFunction")
      .def("call", call_concrete, nb::arg("arguments"))
      .def_prop_ro("name", [](TracedFunctionObject& c) { return c.function->name(); })
      .def_prop_ro("graph", [](TracedFunctionObject& c) { return c.body; })
      .def_prop_ro("inputs",
                   [](TracedFunctionObject& c) { return tensors_of_body(c, c.function->inputs()); })
      .def_prop_ro(
          "outputs",
          [](TracedFunctionObject& c) { return tensors_of_body(c, c.function->outputs()); })
      .def_prop_ro("captured", captured_tensors)
      .def_prop_ro("variables", captured_variables)
      .def_prop_ro("definition", definition_message);
  nb::class_<FunctionCache>(m, "FunctionCache")
      .def(nb::init<>())
      .def("call", &FunctionCache::call, nb::arg("args"), nb::arg("kwargs"))
      .def("concrete", &FunctionCache::concrete, nb::arg("args"), nb::arg("kwargs"))
      .def("add", &FunctionCache::add, nb::arg("args"), nb::arg("kwargs"), nb::arg("concrete"),
           nb::arg("pack").none())
      .def("clear", &FunctionCache::clear)
      .def("__len__", &FunctionCache::size);
  m.def("is_passed_as_tensor", is_passed_as_tensor, nb::arg("value").none());
  m.def("has_functional_flow", [] { return has_functional_flow(*default_graph()); });
}

}  // namespace rill::python
