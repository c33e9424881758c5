#include "rill/api/config/config.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "errors.h"
#include "train_inputs.h"

namespace rill::python {
namespace {

using config::Device;

Device device_of(nb::handle device) {
  if (!nb::hasattr(device, "device_type")) value_error("Unrecognized device: ", repr_of(device));
  return {str_of(device.attr("name")), str_of(device.attr("device_type"))};
}

nb::list pairs(const std::vector<Device>& devices) {
  nb::list list;
  for (const Device& device : devices) list.append(nb::make_tuple(device.name, device.device_type));
  return list;
}

nb::object virtual_device_limits(nb::handle device) {
  return building([&]() -> nb::object {
    const auto parts = config::get_virtual_device_configuration(device_of(device));
    if (!parts) return nb::none();
    nb::list limits;
    for (const auto& part : *parts) limits.append(nb::cast(part.memory_limit));
    return limits;
  });
}

void bind_devices(nb::module_& c) {
  c.def("list_physical_devices",
        [](const std::string& type) { return pairs(config::list_physical_devices(type)); });
  c.def("list_logical_devices",
        [](const std::string& type) { return pairs(config::list_logical_devices(type)); });
  c.def("get_visible_devices",
        [](const std::string& type) { return pairs(config::get_visible_devices(type)); });
  c.def("set_visible_devices", [](nb::handle devices, const std::string& type) {
    std::vector<Device> all;
    for (nb::handle device : devices) all.push_back(device_of(device));
    building([&] { config::set_visible_devices(all, type); });
  });
  c.def("experimental_list_devices", config::experimental_list_devices);
  c.def("get_memory_growth", [](nb::handle device) {
    return building([&] { return config::get_memory_growth(device_of(device)); });
  });
  c.def("set_memory_growth", [](nb::handle device, bool enable) {
    building([&] { config::set_memory_growth(device_of(device), enable); });
  });
  c.def("get_virtual_device_configuration", virtual_device_limits);
  c.def("set_virtual_device_configuration",
        [](nb::handle device, const std::vector<std::optional<std::int64_t>>& limits) {
          std::vector<config::VirtualDeviceConfiguration> parts;
          for (const auto& limit : limits) parts.push_back({limit});
          building([&] { config::set_virtual_device_configuration(device_of(device), parts); });
        });
}

}  // namespace

void bind_config(nb::module_& m) {
  nb::module_ c = m.def_submodule("config");
  c.def("get_soft_device_placement", config::get_soft_device_placement);
  c.def("set_soft_device_placement", config::set_soft_device_placement);
  c.def("get_intra_op_parallelism_threads", config::get_intra_op_parallelism_threads);
  c.def("set_intra_op_parallelism_threads", config::set_intra_op_parallelism_threads);
  c.def("get_inter_op_parallelism_threads", config::get_inter_op_parallelism_threads);
  c.def("set_inter_op_parallelism_threads", config::set_inter_op_parallelism_threads);
  c.def("get_synchronous_execution", config::get_synchronous_execution);
  c.def("set_synchronous_execution", config::set_synchronous_execution);
  c.def("get_device_policy", config::get_device_policy);
  c.def("set_device_policy",
        [](const std::string& policy) { building([&] { config::set_device_policy(policy); }); });
  c.def("get_optimizer_jit", config::get_optimizer_jit);
  c.def("set_optimizer_jit", config::set_optimizer_jit);
  c.def("get_optimizer_experimental_options", config::get_optimizer_experimental_options);
  c.def("set_optimizer_experimental_options", config::set_optimizer_experimental_options);
  bind_devices(c);
}

}  // namespace rill::python
