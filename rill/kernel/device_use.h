#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rill/kernel/device_type.h"

namespace rill {

// How sessions of this process use the cards of one type of device. As in TensorFlow this is the
// same for all sessions; those that are open keep their devices.
struct DeviceUse {
  // The cards, in the order in which sessions number them: "1,0". Empty: all; "none": no card.
  std::string visible = {};
  // For each of these cards the bytes of its parts, each of which is a device. A card without any,
  // or behind the end of the list, is one device.
  std::vector<std::vector<std::int64_t>> parts = {};
  double memory_fraction = 0;  // of a card's memory, that a session may take; 0: all
  friend bool operator==(const DeviceUse&, const DeviceUse&) = default;
};

void set_device_use(const std::string& device_type, DeviceUse use);
DeviceUse device_use(const std::string& device_type);

// Whether ops that are executed at once, outside of sessions, run elsewhere when they ask for a
// device that there is not; as in TensorFlow they do unless the program says otherwise.
void set_places_softly(bool softly);
bool places_softly();

// The devices that a session opens: of the first `most` cards, where that is given. Throws
// InvalidArgument for a list that names what there is not, and settings that contradict each other.
std::vector<DeviceSlice> device_slices(const DeviceType& type, std::optional<int> most);

}  // namespace rill
