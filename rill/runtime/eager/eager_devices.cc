#include "rill/runtime/eager/eager_devices.h"

#include <algorithm>

#include "rill/base/error.h"
#include "rill/graph/device_name.h"
#include "rill/kernel/device_use.h"
#include "rill/tensor/resource_handle.h"

namespace rill {

EagerDevices::EagerDevices(ThreadPool& pool) : pool_(pool), cpu_(0, pool), on_cpu_{&cpu_} {
  for (const auto& type : device_types()) {
    for (const DeviceSlice& slice : device_slices(*type, std::nullopt)) {
      auto card = std::make_unique<Card>();
      card->device = type->open(slice, pool, nullptr);
      Device* const device = card->device.get();
      card->strict = {device};
      card->soft = {device, &cpu_};
      if (slice.index == 0 && type->priority() > 0) anywhere_.push_back(device);
      cards_.push_back(std::move(card));
    }
  }
  anywhere_.push_back(&cpu_);
}

std::vector<Device*> EagerDevices::all() const {
  std::vector<Device*> devices{const_cast<CpuDevice*>(&cpu_)};
  for (const auto& card : cards_) devices.push_back(card->device.get());
  return devices;
}

const EagerPlaces& EagerDevices::places(const NodeSpec& spec) {
  if (!cards_.empty())
    if (const EagerPlaces* found = of_variables(spec)) return *found;
  if (spec.device.empty()) return anywhere();
  const DeviceName wanted = DeviceName::parse(spec.device), here = DeviceName::parse(cpu_.name());
  DeviceName machine = wanted;
  machine.type.reset();
  machine.id.reset();
  if (machine.covers(here)) {
    if (!wanted.type && !wanted.id) return anywhere();
    if (wanted.covers(here)) return on_cpu_;
    const auto cpus = device_use("CPU").parts;  // the machine is one card, with parts if so wanted
    const int count = cpus.empty() ? 1 : static_cast<int>(cpus[0].size());
    const std::string type = wanted.type.value_or("CPU");
    const int index = wanted.id.value_or(0);
    if (type == "CPU" && index < count) return cpu_places(index);
    if (const Card* card = find(type, index)) return places_softly() ? card->soft : card->strict;
    if (places_softly()) return on_cpu_;
  }
  throw Error(Code::kInvalidArgument, str_cat(to_text(wanted.over(here)), " unknown device."))
      .with_node(spec.op, "");
}

// What reads or changes a variable runs where that is, as in TensorFlow whatever was asked for.
const EagerPlaces* EagerDevices::of_variables(const NodeSpec& spec) {
  for (const Output& input : spec.inputs) {
    if (input.dtype() != DType::resource) continue;
    const Tensor& handle = input.value();
    if (handle.element_count() == 0) continue;
    const DeviceName name = DeviceName::parse(handle.data<ResourceHandle>()->device);
    const Card* card = find(name.type.value_or("CPU"), name.id.value_or(0));
    return card != nullptr ? &card->soft : &on_cpu_;
  }
  return nullptr;
}

void EagerDevices::check_variables(const NodeSpec& spec, const Device& chosen) {
  if (cards_.empty() || chosen.memory_kind() != MemoryKind::host) return;
  const EagerPlaces* const places = of_variables(spec);
  if (places == nullptr || places->front()->memory_kind() == MemoryKind::host) return;
  const Device& there = *places->front();
  throw Error(Code::kNotFound,
              str_cat("No registered '", spec.op, "' OpKernel for '", there.type(),
                      "' devices, or for something that it calls, and it uses a variable on ",
                      there.name(), ". Make the variable under tf.device(\"/cpu:0\")."))
      .with_node(spec.op, "");
}

EagerDevices::Card* EagerDevices::find(const std::string& type, int index) {
  for (const auto& card : cards_)
    if (card->device->type() == type && index-- == 0) return card.get();
  return nullptr;
}

// CPUs beyond the first, where the program has cut it into several.
const EagerPlaces& EagerDevices::cpu_places(int index) {
  const std::lock_guard lock(mutex_);
  auto& [device, places] = cpus_[index];
  if (device == nullptr) {
    device = std::make_unique<CpuDevice>(index, pool_);
    places = {device.get()};
  }
  return places;
}

std::shared_ptr<EagerBatch> EagerDevices::enter(Device& device,
                                                const std::shared_ptr<EagerKernel>& kernel,
                                                const StepContext& step) {
  const auto is_there = [&](const auto& card) { return card->device.get() == &device; };
  Card& card = **std::ranges::find_if(cards_, is_there);
  for (;;) {
    std::shared_ptr<EagerBatch> batch, over;
    {
      const std::lock_guard lock(mutex_);
      batch = card.batch;
    }
    if (batch != nullptr && batch->enter(kernel)) return batch;
    auto next = std::make_shared<EagerBatch>(device, step);
    const std::lock_guard lock(mutex_);
    if (card.batch == batch) {
      over = std::move(card.batch);  // which may wait when it ends
      card.batch = std::move(next);
    }
  }
}

}  // namespace rill
