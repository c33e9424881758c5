#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rill::config {

// --- placement and execution
// -----------------------------------------------------------------------
bool get_soft_device_placement();
void set_soft_device_placement(bool enabled);
int get_intra_op_parallelism_threads();  // 0: as many as the machine has cores
void set_intra_op_parallelism_threads(int num_threads);
int get_inter_op_parallelism_threads();
void set_inter_op_parallelism_threads(int num_threads);
bool get_synchronous_execution();
void set_synchronous_execution(bool enable);
std::string get_device_policy();  // silent, silent_for_int32, warn or explicit
void set_device_policy(const std::string& device_policy);  // throws InvalidArgument for others

// --- passes
// ----------------------------------------------------------------------------------------
bool get_optimizer_jit();
void set_optimizer_jit(bool enabled);
// By the names of TensorFlow's options: layout_optimizer, constant_folding, ... Others are ignored.
const std::vector<std::string>& optimizer_option_names();
std::map<std::string, bool> get_optimizer_experimental_options();
void set_optimizer_experimental_options(const std::map<std::string, bool>& options);

// --- devices
// ---------------------------------------------------------------------------------------
struct Device {
  std::string name = {}, device_type = {};
  friend bool operator==(const Device&, const Device&) = default;
};
struct VirtualDeviceConfiguration {
  std::optional<std::int64_t> memory_limit = {};  // in MB; GPUs only
};
// With a type, those of that type.
std::vector<Device> list_physical_devices(std::string_view device_type = {});
std::vector<Device> list_logical_devices(std::string_view device_type = {});
std::vector<Device> get_visible_devices(std::string_view device_type = {});
// Throw InvalidArgument for a device that there is not.
void set_visible_devices(const std::vector<Device>& devices, std::string_view device_type = {});
std::optional<std::vector<VirtualDeviceConfiguration>> get_virtual_device_configuration(
    const Device& device);
void set_virtual_device_configuration(const Device& device,
                                      const std::vector<VirtualDeviceConfiguration>& parts);
// Of GPUs; throw InvalidArgument for others.
std::optional<bool> get_memory_growth(const Device& device);
void set_memory_growth(const Device& device, bool enable);
// "/job:localhost/replica:0/task:0/device:CPU:0", ...
std::vector<std::string> experimental_list_devices();

}  // namespace rill::config
