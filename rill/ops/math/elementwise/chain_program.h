#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rill/ops/math/rows/elementwise.h"

namespace rill {

// One op of a chain of float ops: its own kernel, and the rows inside it.
struct ChainStage {
  KernelNode node;
  const KernelEntry* kernel = nullptr;
  std::unique_ptr<KernelState> state;
  UnaryRow unary = nullptr;  // one of these, but for _Unbroadcast
  BinaryRows binary;
  bool broadcasts = false;  // operands may have different shapes
  double cost = 0;
  int x = -1, y = -1;  // values; see _ElementwiseChain

  bool passes_on() const { return unary == nullptr && binary.both == nullptr; }  // _Unbroadcast
};

// The stage for an op on floats, for the device of `node`; empty when chains do not take that op.
std::unique_ptr<ChainStage> make_chain_stage(const std::string& op_name, const KernelNode& node);

// A chain with everything about it that does not depend on shapes.
struct ChainProgram final : KernelState {
  explicit ChainProgram(const KernelNode& node);  // throws InvalidArgument for a bad one

  int input_count = 0, buffer_count = 0;
  std::vector<ChainStage> stages;
  std::vector<int> results;  // values that leave the chain
  // Per value: the value that it is, itself but for the results of _Unbroadcast.
  std::vector<int> same_as;
  std::vector<int> result_of;  // per value: which result it is, -1 if none
  std::vector<int> buffer_of;  // per value: where a block of it is kept, -1 if nowhere
  double cost = 0;             // of one element
  // Whether result 0 may be written over input 0, which nobody reads afterwards.
  bool can_write_over_input = false;

 private:
  void add_stages(const KernelNode& node);
  void assign_buffers();
};

}  // namespace rill
