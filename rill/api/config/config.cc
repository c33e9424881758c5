#include "rill/api/config/config.h"

#include <algorithm>
#include <array>
#include <mutex>

#include "rill/api/config/session_options.h"
#include "rill/base/error.h"
#include "rill/kernel/device_use.h"

namespace rill::config {
namespace {

struct Settings {
  std::mutex mutex;
  bool soft_placement = false, synchronous = true, jit = false;
  int intra_op_threads = 0, inter_op_threads = 0;
  std::string device_policy = "silent";
  std::map<std::string, bool> passes{{"disable_model_pruning", false},
                                     {"disable_meta_optimizer", false}};
  std::optional<std::vector<Device>> visible;                            // none: all
  std::map<std::string, std::vector<VirtualDeviceConfiguration>> parts;  // by device
  std::map<std::string, bool> growth;                                    // of GPUs, by device
  bool settled = false;  // logical devices have been given out
};

Settings& settings() {
  static Settings all;
  return all;
}

template <class T>
T get(T Settings::*setting) {
  const std::lock_guard lock(settings().mutex);
  return settings().*setting;
}

template <class T>
void set(T Settings::*setting, T value) {
  const std::lock_guard lock(settings().mutex);
  settings().*setting = std::move(value);
}

bool is_of(std::string_view device_type, const Device& device) {
  return device_type.empty() || device.device_type == device_type;
}

std::vector<Device> of_type(std::vector<Device> devices, std::string_view device_type) {
  std::erase_if(devices, [&](const Device& device) { return !is_of(device_type, device); });
  return devices;
}

template <class T>
void require_unsettled(const char* what, const T& now, const T& wanted) {
  if (get(&Settings::settled) && now != wanted)
    raise(Code::kFailedPrecondition, what, " cannot be modified after being initialized");
}

// How sessions use the cards of the libraries' types, as the settings say.
void use_cards() {
  std::vector<std::string> types{"CPU"};
  for (const auto& type : device_types()) types.push_back(type->name());
  for (const std::string& type : types) {
    DeviceUse use;
    std::vector<std::string> numbers;
    for (const Device& device : get_visible_devices(type)) {
      numbers.push_back(device.name.substr(device.name.rfind(':') + 1));
      use.parts.emplace_back();
      for (const auto& part : get_virtual_device_configuration(device).value_or(
               std::vector<VirtualDeviceConfiguration>()))
        use.parts.back().push_back(part.memory_limit.value_or(0) << 20);
    }
    use.visible = numbers.empty() ? "none" : join(numbers, ",");
    set_device_use(type, std::move(use));
  }
}

void require_known(const Device& device) {
  const auto all = list_physical_devices();
  require(std::ranges::find(all, device) != all.end(), "Unrecognized device: ", device.name);
}

}  // namespace

bool get_soft_device_placement() { return get(&Settings::soft_placement); }
void set_soft_device_placement(bool enabled) {
  set(&Settings::soft_placement, enabled);
  set_places_softly(enabled);
}
int get_intra_op_parallelism_threads() { return get(&Settings::intra_op_threads); }
void set_intra_op_parallelism_threads(int n) { set(&Settings::intra_op_threads, n); }
int get_inter_op_parallelism_threads() { return get(&Settings::inter_op_threads); }
void set_inter_op_parallelism_threads(int n) { set(&Settings::inter_op_threads, n); }
bool get_synchronous_execution() { return get(&Settings::synchronous); }
void set_synchronous_execution(bool enable) { set(&Settings::synchronous, enable); }
std::string get_device_policy() { return get(&Settings::device_policy); }

void set_device_policy(const std::string& device_policy) {
  constexpr std::array<std::string_view, 4> kPolicies{"silent", "silent_for_int32", "warn",
                                                      "explicit"};
  require(std::ranges::find(kPolicies, device_policy) != kPolicies.end(),
          "Not a valid device policy: '", device_policy, "'");
  set(&Settings::device_policy, device_policy);
}

bool get_optimizer_jit() { return get(&Settings::jit); }
void set_optimizer_jit(bool enabled) { set(&Settings::jit, enabled); }

const std::vector<std::string>& optimizer_option_names() {
  static const std::vector<std::string> names{"layout_optimizer",
                                              "constant_folding",
                                              "shape_optimization",
                                              "remapping",
                                              "arithmetic_optimization",
                                              "dependency_optimization",
                                              "loop_optimization",
                                              "function_optimization",
                                              "debug_stripper",
                                              "disable_model_pruning",
                                              "scoped_allocator_optimization",
                                              "pin_to_host_optimization",
                                              "implementation_selector",
                                              "auto_mixed_precision",
                                              "auto_mixed_precision_mkl",
                                              "auto_mixed_precision_onednn_bfloat16",
                                              "disable_meta_optimizer",
                                              "min_graph_nodes"};
  return names;
}

std::map<std::string, bool> get_optimizer_experimental_options() { return get(&Settings::passes); }

void set_optimizer_experimental_options(const std::map<std::string, bool>& options) {
  const auto& names = optimizer_option_names();
  const std::lock_guard lock(settings().mutex);
  for (const auto& [name, enabled] : options)
    if (std::ranges::find(names, name) != names.end()) settings().passes[name] = enabled;
}

std::vector<Device> list_physical_devices(std::string_view device_type) {
  std::vector<Device> all{{"/physical_device:CPU:0", "CPU"}};
  for (const auto& type : device_types())
    for (int i = 0; i < type->count(); ++i)
      all.push_back({str_cat("/physical_device:", type->name(), ":", i), type->name()});
  return of_type(std::move(all), device_type);
}

std::vector<Device> get_visible_devices(std::string_view device_type) {
  return of_type(get(&Settings::visible).value_or(list_physical_devices()), device_type);
}

void set_visible_devices(const std::vector<Device>& devices, std::string_view device_type) {
  for (const Device& device : devices) {
    require_known(device);
    require(is_of(device_type, device), "Unrecognized device: ", device.name);
  }
  std::vector<Device> visible = devices;
  for (const Device& device : get_visible_devices())
    if (!is_of(device_type, device)) visible.push_back(device);
  require_unsettled("Visible devices", get_visible_devices(), visible);
  set(&Settings::visible, std::optional(visible));
  use_cards();
}

std::vector<Device> list_logical_devices(std::string_view device_type) {
  std::vector<Device> devices;
  std::map<std::string, int> next;  // by type
  for (const Device& device : get_visible_devices(device_type)) {
    const auto parts = get_virtual_device_configuration(device);
    for (std::size_t i = 0; i < (parts && !parts->empty() ? parts->size() : 1); ++i)
      devices.push_back({str_cat("/device:", device.device_type, ":", next[device.device_type]++),
                         device.device_type});
  }
  set(&Settings::settled, true);
  return devices;
}

std::optional<std::vector<VirtualDeviceConfiguration>> get_virtual_device_configuration(
    const Device& device) {
  require_known(device);
  const std::lock_guard lock(settings().mutex);
  const auto found = settings().parts.find(device.name);
  if (found == settings().parts.end()) return {};
  return found->second;
}

void set_virtual_device_configuration(const Device& device,
                                      const std::vector<VirtualDeviceConfiguration>& parts) {
  require_known(device);
  for (const VirtualDeviceConfiguration& part : parts)
    require(device.device_type != "CPU" || !part.memory_limit,
            "Setting memory limit on CPU virtual devices is currently not supported");
  const auto limits = [](const std::vector<VirtualDeviceConfiguration>& all) {
    std::vector<std::optional<std::int64_t>> found;
    for (const VirtualDeviceConfiguration& part : all) found.push_back(part.memory_limit);
    return found;
  };
  require_unsettled("Virtual devices",
                    limits(get_virtual_device_configuration(device).value_or(
                        std::vector<VirtualDeviceConfiguration>())),
                    limits(parts));
  {
    const std::lock_guard lock(settings().mutex);
    settings().parts[device.name] = parts;
  }
  use_cards();
}

std::optional<bool> get_memory_growth(const Device& device) {
  require_known(device);
  if (device.device_type != "GPU") return {};
  const std::lock_guard lock(settings().mutex);
  const auto found = settings().growth.find(device.name);
  return found != settings().growth.end() && found->second;
}

// Memory is always taken as it is needed; what was asked for is remembered.
void set_memory_growth(const Device& device, bool enable) {
  require_known(device);
  require(get_virtual_device_configuration(device)
              .value_or(std::vector<VirtualDeviceConfiguration>())
              .empty(),
          "Cannot set memory growth on device when virtual devices configured");
  require(device.device_type == "GPU", "Cannot set memory growth on non-GPU devices");
  const std::lock_guard lock(settings().mutex);
  settings().growth[device.name] = enable;
}

SessionOptions session_options() {
  SessionOptions options;
  options.allow_soft_placement = get_soft_device_placement();
  options.intra_op_threads = get_intra_op_parallelism_threads();
  options.inter_op_threads = get_inter_op_parallelism_threads();
  for (const Device& cpu : get_visible_devices("CPU"))
    if (const auto parts = get_virtual_device_configuration(cpu); parts && !parts->empty())
      options.device_count["CPU"] = static_cast<int>(parts->size());
  return options;
}

std::vector<std::string> experimental_list_devices() {
  std::vector<std::string> names;
  for (const Device& device : list_logical_devices())
    names.push_back("/job:localhost/replica:0/task:0" + device.name);
  return names;
}

}  // namespace rill::config
