#pragma once

#include <cstdint>
#include <string>

#include "rill/kernel/kernel_node.h"

namespace rill {

// A rendezvous key as TensorFlow writes it: who sends, the incarnation of that device, who
// receives, what, and in which iteration of which loop:
// "/job:..CPU:0;0000000000000001;/job:..CPU:1;edge_3_x;0:0".

inline constexpr std::int64_t kLocalIncarnation = 1;  // devices of one process never restart

// Attributes of transfers within a process. Of a _Recv: the value stays in whatever memory it is.
inline constexpr const char* kLeftThere = "_left_there";
// Of a _Send: the device into whose memory the value goes, which may as well be made there.
inline constexpr const char* kWantedOn = "_wanted_on";

// All but the loop, from the attributes of a _Send or _Recv.
std::string rendezvous_prefix(const AttrMap& attrs);

inline std::string rendezvous_key(const std::string& prefix, std::uint64_t loop = 0,
                                  std::int64_t iteration = 0) {
  return prefix + std::to_string(loop) + ':' + std::to_string(iteration);
}

// What the kernels of _Send and _Recv keep.
struct TransferState final : KernelState {
  explicit TransferState(const KernelNode& node) : prefix(rendezvous_prefix(node.attrs)) {}
  const std::string prefix;
};

}  // namespace rill
