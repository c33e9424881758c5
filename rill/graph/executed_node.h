#pragma once

#include <atomic>
#include <cstdint>
#include <forward_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rill/graph/graph.h"

namespace rill {

// What tapes keep of an executed op besides its node: the inputs, as long as one of the tapes that
// have recorded it lives.
struct TapeRecord {
  std::vector<Output> inputs;
  std::vector<std::uint64_t> tapes;
};

// Values in the memory of a device, which may still be to be computed.
class LateValues {
 public:
  virtual ~LateValues() = default;
  // Returns when they are there; throws what went wrong with them.
  virtual void wait() = 0;
  // Throws that if it is known already.
  virtual void check() const = 0;
};

// An op that an eager graph has executed, with the values of its outputs.
class ExecutedNode final : public Node {
 public:
  // The node has no holder yet.
  static ExecutedNode& make(Graph& graph, const Op& op, const std::shared_ptr<AttrMap>& attrs,
                            std::span<const DType> types, const std::string& device);
  // The next output's value, as soon as the node is made.
  void add_value(Tensor value);
  // Finds out what is known of the variables behind its outputs, resource handles, from its inputs.
  void infer_handles(const std::vector<Output>& inputs);

  static std::int64_t living_count();  // of the process, for tests of what is let go

  std::uint64_t serial() const { return serial_; }              // never used again
  void set_name(std::string name) { name_ = std::move(name); }  // it has none otherwise
  // For the host: of what lies in the memory of a device a copy, which is made once.
  const Tensor& value(int i) const;
  // The value in memory of `allocator`, or wherever the host has it where that is host memory.
  const Tensor& value_in(int i, Allocator& allocator) const;
  MemoryKind memory_kind(int i) const {
    return values_.at(static_cast<std::size_t>(i)).memory_kind();
  }
  void set_late(std::shared_ptr<LateValues> late) { late_ = std::move(late); }
  const KnownValueRef& known(int i) const;

  const std::vector<Output>& recorded() const;
  const std::shared_ptr<TapeRecord>& record() const { return record_; }
  void set_record(std::shared_ptr<TapeRecord> record) { record_ = std::move(record); }
  // What layers say of the elements of an output that count; none: all.
  Output mask(int i) const {
    return static_cast<std::size_t>(i) < masks_.size() ? masks_[static_cast<std::size_t>(i)]
                                                       : Output();
  }
  void set_mask(int i, Output mask) {
    if (masks_.size() <= static_cast<std::size_t>(i))
      masks_.resize(static_cast<std::size_t>(i) + 1);
    masks_[static_cast<std::size_t>(i)] = std::move(mask);
  }

 private:
  friend class NodePtr;
  ExecutedNode() = default;
  // Nodes that are let go of are used again, with the room that their parts have.
  struct Spare;
  static void let_go(ExecutedNode* node);
  struct Copy {
    int output;
    Allocator* where;
    Tensor value;
  };
  const Copy* find_copy(int i, const Allocator& allocator) const;

  std::atomic<int> holders_{0};
  ExecutedNode* next_dead_ = nullptr;
  std::uint64_t serial_ = 0;
  std::vector<Tensor> values_;
  mutable std::forward_list<Copy> copies_;  // in other memory
  std::shared_ptr<LateValues> late_;        // where a device computes its values
  std::shared_ptr<TapeRecord> record_;
  std::vector<Output> masks_;
};

inline const ExecutedNode& executed(const Node& node) {
  return static_cast<const ExecutedNode&>(node);
}
inline ExecutedNode& executed(Node& node) { return static_cast<ExecutedNode&>(node); }

// Nodes that nobody points to yet, because they have just been made: the last ones of this thread.
// A value that is large and has no holder goes after a few others were made.
void keep_for_a_while(Node& node);
// Between calls of a program nobody needs them.
void forget_recent_nodes();

}  // namespace rill
