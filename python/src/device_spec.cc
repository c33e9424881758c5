#include "device_spec.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "errors.h"
#include "rill/graph/device_name.h"

namespace rill::python {
namespace {

using OptionalText = std::optional<std::string>;
using OptionalNumber = std::optional<int>;

DeviceName parse_device(const std::string& spec) {
  return building([&] { return DeviceName::parse(spec); });
}

// "cpu" and "gpu" are written in capitals wherever they are read.
OptionalText canonical_type(OptionalText type) {
  if (type == "cpu") return "CPU";
  return type == "gpu" ? "GPU" : type;
}

void init(DeviceName* self, OptionalText job, OptionalNumber replica, OptionalNumber task,
          OptionalText type, OptionalNumber index) {
  new (self) DeviceName;
  self->job = std::move(job);
  self->replica = replica;
  self->task = task;
  self->type = canonical_type(std::move(type));
  self->id = index;
}

std::string device_repr(const DeviceName& d) {
  std::vector<std::string> parts;
  const auto add = [&](const char* name, const auto& part) {
    if (part) parts.push_back(str_cat(name, "=", *part));
  };
  add("job", d.job);
  add("replica", d.replica);
  add("task", d.task);
  add("device_type", d.type);
  add("device_index", d.id);
  return str_cat("<DeviceSpec(", join(parts, ", "), ")>");
}

DeviceName replace_device_parts(const DeviceName& d, const nb::kwargs& changes) {
  DeviceName changed = d;
  for (const auto& [key, value] : changes) {
    const std::string name = str_of(key);
    if (name == "job") {
      changed.job = nb::cast<OptionalText>(value);
    } else if (name == "replica") {
      changed.replica = nb::cast<OptionalNumber>(value);
    } else if (name == "task") {
      changed.task = nb::cast<OptionalNumber>(value);
    } else if (name == "device_type") {
      changed.type = canonical_type(nb::cast<OptionalText>(value));
    } else if (name == "device_index") {
      changed.id = nb::cast<OptionalNumber>(value);
    } else {
      type_error("replace() got an unexpected keyword argument '", name, "'");
    }
  }
  return changed;
}

template <auto Member>
void bind_part(nb::class_<DeviceName>& c, const char* name) {
  using Part = std::remove_cvref_t<decltype(std::declval<DeviceName>().*Member)>;
  c.def_prop_rw(
      name, [](const DeviceName& d) { return d.*Member; },
      [](DeviceName& d, Part part) { d.*Member = std::move(part); }, nb::arg("value").none());
}

}  // namespace

void bind_device_spec(nb::module_& m) {
  nb::class_<DeviceName> c(m, "DeviceSpec");
  c.def("__init__", init, nb::arg("job") = nb::none(), nb::arg("replica") = nb::none(),
        nb::arg("task") = nb::none(), nb::arg("device_type") = nb::none(),
        nb::arg("device_index") = nb::none());
  bind_part<&DeviceName::job>(c, "job");
  bind_part<&DeviceName::replica>(c, "replica");
  bind_part<&DeviceName::task>(c, "task");
  bind_part<&DeviceName::type>(c, "device_type");
  bind_part<&DeviceName::id>(c, "device_index");
  c.def_static("from_string", parse_device, nb::arg("spec"));
  c.def(
      "parse_from_string",
      [](nb::object self, const std::string& spec) {
        nb::cast<DeviceName&>(self) = parse_device(spec);
        return self;
      },
      nb::arg("spec"));
  c.def("to_string", [](const DeviceName& d) { return to_text(d); });
  c.def(
      "merge_from", [](DeviceName& d, const DeviceName& dev) { d = dev.over(d); }, nb::arg("dev"));
  c.def(
      "make_merged_spec", [](const DeviceName& d, const DeviceName& dev) { return dev.over(d); },
      nb::arg("dev"));
  c.def("replace", replace_device_parts);
  c.def("__repr__", device_repr);
  c.def("__str__", device_repr);
  c.def("__hash__", [](const DeviceName& d) { return nb::hash(nb::cast(to_text(d))); });
  c.def("__eq__", [](const DeviceName& d, nb::handle other) {
    return nb::isinstance<DeviceName>(other) && nb::cast<const DeviceName&>(other) == d;
  });
}

}  // namespace rill::python
