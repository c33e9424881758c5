#include "rill/graph/executed_node.h"

#include <array>
#include <mutex>

#include "rill/base/error.h"

namespace rill {
namespace {

std::atomic<std::int64_t> living{0};

}  // namespace

std::int64_t ExecutedNode::living_count() { return living.load(std::memory_order_relaxed); }

void NodePtr::add_holder(Node& node) {
  executed(node).holders_.fetch_add(1, std::memory_order_relaxed);
}

// A node may hold the last pointer to the nodes that it was computed from, and so on, without end:
// they go one after the other, not inside each other.
void NodePtr::remove_holder(Node& node) {
  if (executed(node).holders_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  static thread_local std::vector<ExecutedNode*>* under_way = nullptr;
  if (under_way != nullptr) return under_way->push_back(&executed(node));
  std::vector<ExecutedNode*> dead{&executed(node)};
  under_way = &dead;
  while (!dead.empty()) {
    ExecutedNode* const next = dead.back();
    dead.pop_back();
    delete next;
    living.fetch_sub(1, std::memory_order_relaxed);
  }
  under_way = nullptr;
}

ExecutedNode& ExecutedNode::make(Graph& graph, const Op& op, std::shared_ptr<AttrMap> attrs,
                                 std::vector<DType> types, std::vector<Tensor> values,
                                 std::string device) {
  static std::atomic<std::uint64_t> next{1};
  auto* const node = new ExecutedNode;
  living.fetch_add(1, std::memory_order_relaxed);
  node->executed_ = true;
  node->graph_ = &graph;
  node->op_ = &op;
  node->attrs_ = std::move(attrs);
  node->device_ = std::move(device);
  node->output_types_ = std::move(types);
  node->shapes_.reserve(values.size());
  for (const Tensor& value : values)
    node->shapes_.push_back(value.has_value() ? PartialShape(value.shape()) : PartialShape());
  node->values_ = std::move(values);
  node->serial_ = next.fetch_add(1, std::memory_order_relaxed);
  return *node;
}

namespace {
std::mutex copies_mutex;
}

const Tensor& ExecutedNode::value(int i) const {
  const Tensor& own = values_.at(static_cast<std::size_t>(i));
  return own.memory_kind() == MemoryKind::device ? value_in(i, cpu_allocator()) : own;
}

const Tensor& ExecutedNode::value_in(int i, Allocator& allocator) const {
  const Tensor& own = values_.at(static_cast<std::size_t>(i));
  const bool is_away = own.memory_kind() == MemoryKind::device;
  const bool is_there =
      is_away ? own.buffer()->allocator() == &allocator : allocator.kind() != MemoryKind::device;
  if (late_ != nullptr) is_there ? late_->check() : late_->wait();
  if (is_there || !own.has_value()) return own;
  {
    const std::lock_guard lock(copies_mutex);
    if (const Copy* known = find_copy(i, allocator)) return known->value;
  }
  Tensor copy = own.copied_to(allocator);
  const std::lock_guard lock(copies_mutex);
  if (const Copy* known = find_copy(i, allocator)) return known->value;
  return copies_.emplace_front(Copy{i, &allocator, std::move(copy)}).value;
}

const ExecutedNode::Copy* ExecutedNode::find_copy(int i, const Allocator& allocator) const {
  for (const Copy& copy : copies_)
    if (copy.output == i && copy.where == &allocator) return &copy;
  return nullptr;
}

void ExecutedNode::infer_handles(const std::vector<Output>& inputs) {
  const auto shapes = shapes_;
  record_ = std::make_shared<TapeRecord>(TapeRecord{inputs, {}});
  graph_->infer(*this);
  record_ = nullptr;
  shapes_ = shapes;
}

const KnownValueRef& ExecutedNode::known(int i) const {
  static const KnownValueRef kNothing;
  static std::mutex mutex;
  const auto at = static_cast<std::size_t>(i);
  if (at >= values_.size() || !values_[at].has_value()) return kNothing;
  const DType type = values_[at].dtype();
  if (type == DType::resource || type == DType::variant) return kNothing;
  const Tensor& here = value(i);
  const std::lock_guard lock(mutex);
  auto& known = const_cast<ExecutedNode*>(this)->known_;
  if (known.size() < values_.size()) known.resize(values_.size());
  if (known[at] == nullptr)
    known[at] = std::make_shared<const KnownValue>(KnownValue{.value = here});
  return known[at];
}

const std::vector<Output>& ExecutedNode::recorded() const {
  static const std::vector<Output> kNone;
  return record_ == nullptr ? kNone : record_->inputs;
}

namespace {

// Builders take the outputs of a node before they make many others. Small values may wait longer
// than large ones, which would add up.
struct Recent {
  std::array<NodePtr, 64> nodes;
  std::size_t next = 0;
};
thread_local Recent recent;

}  // namespace

void keep_for_a_while(Node& node) {
  recent.nodes[recent.next] = &node;
  recent.next = (recent.next + 1) % recent.nodes.size();
}

void forget_recent_nodes() {
  for (std::size_t i = 0; i < recent.nodes.size(); ++i) {
    const std::size_t at = (recent.next + recent.nodes.size() - 1 - i) % recent.nodes.size();
    if (recent.nodes[at] == nullptr) break;
    recent.nodes[at] = nullptr;
  }
  recent.next = 0;
}

}  // namespace rill
