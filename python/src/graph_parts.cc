#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "class_call.h"
#include "keep_graph.h"
#include "kept.h"
#include "plain_values.h"
#include "rill/api/queue/critical_section.h"
#include "rill/api/train/device_setter.h"
#include "train_inputs.h"

namespace rill::python {
namespace {

// --- critical sections ---------------------------------------------------------------------------

nb::object execute(CriticalSection& self, nb::object fn, bool exclusive, nb::handle name) {
  return built({give(self.handle())}, [&] {
    const BranchFn body = [&] {
      std::vector<Output> results;
      nb::object made = fn();
      for (nb::handle item : made) results.push_back(tensor_object(item).output);
      return results;
    };
    return self.execute(body, {exclusive, text_or_empty(name)});
  });
}

void bind_critical_section(nb::module_& m) {
  nb::class_<CriticalSection> c(m, "CriticalSection", nb::dynamic_attr());
  c.def(
      "__init__",
      [](CriticalSection* self, nb::handle name, nb::handle shared_name) {
        const InCallersPlace place({});
        building([&] {
          new (self) CriticalSection({text_or_empty(name), text_or_empty(shared_name)});
        });
        keep_graph(self, *self->handle().node);
      },
      nb::arg("name").none(), nb::arg("shared_name").none());
  c.def_prop_ro("name", [](CriticalSection& self) { return self.name(); });
  c.def_prop_ro("_handle", [](CriticalSection& self) { return give(self.handle()); });
  c.def("_execute", execute, nb::arg("fn"), nb::arg("exclusive"), nb::arg("name").none());
}

// --- devices -------------------------------------------------------------------------------------

nb::object device_setter(std::int64_t ps_tasks, const std::string& ps_device,
                         const std::string& worker_device, bool merge_devices, nb::handle ps_ops,
                         nb::object ps_strategy) {
  train::ReplicaDeviceOptions options{ps_device, worker_device, merge_devices, {}, {}};
  if (!ps_ops.is_none()) options.ps_ops = nb::cast<std::vector<std::string>>(ps_ops);
  if (!ps_strategy.is_none())
    options.ps_strategy = [held = keep(ps_strategy)](Node& node) {
      return integer_of(kept(held)(give(node)));
    };
  return building([&] {
    const DeviceFunction choose = train::replica_device_setter(ps_tasks, options);
    return nb::object(nb::cpp_function([choose](nb::handle op) {
      if (!is_operation(op)) type_error("Expected an Operation, got ", repr_of(op));
      return building([&] { return choose(operation_object(op).node()); });
    }));
  });
}

}  // namespace

void bind_graph_parts(nb::module_& m) {
  bind_critical_section(m);
  m.def("replica_device_setter", device_setter, nb::arg("ps_tasks"), nb::arg("ps_device"),
        nb::arg("worker_device"), nb::arg("merge_devices"), nb::arg("ps_ops").none(),
        nb::arg("ps_strategy").none());
}

}  // namespace rill::python
