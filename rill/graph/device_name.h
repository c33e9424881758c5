#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rill {

// A full or partial device name: /job:J/replica:R/task:T/device:TYPE:ID, any part of which may be
// missing (written "*" or left out).
//
//   DeviceName::parse("/gpu:1").over(DeviceName::parse("/job:worker"))  // /job:worker/device:GPU:1
struct DeviceName {
  std::optional<std::string> job, type;
  std::optional<int> replica, task, id;

  // Accepts TensorFlow's spellings: parts in any order, legacy "/cpu:0" and "/gpu:*", and "GPU:1"
  // without a slash. Throws InvalidArgument naming the part that it does not know.
  static DeviceName parse(std::string_view text);

  bool empty() const { return !job && !type && !replica && !task && !id; }
  // This name with the parts that it lacks taken from `outer`.
  DeviceName over(const DeviceName& outer) const;
  // Both at once. Throws InvalidArgument where they contradict each other; when `soft`, types and
  // ids that differ are forgotten instead.
  DeviceName together_with(const DeviceName& other, bool soft) const;
  // True when every part that this name has is the same in `other`.
  bool covers(const DeviceName& other) const;

  friend bool operator==(const DeviceName&, const DeviceName&) = default;
};

std::string to_text(const DeviceName& name);  // canonical; "" when nothing is said

}  // namespace rill
