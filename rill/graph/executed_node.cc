#include "rill/graph/executed_node.h"

#include <array>
#include <mutex>
#include <utility>

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
  static thread_local ExecutedNode* dead = nullptr;
  static thread_local bool under_way = false;
  executed(node).next_dead_ = dead;
  dead = &executed(node);
  if (under_way) return;
  under_way = true;
  while (dead != nullptr) ExecutedNode::let_go(std::exchange(dead, dead->next_dead_));
  under_way = false;
}

struct ExecutedNode::Spare {
  static constexpr std::size_t kMost = 64;
  static inline thread_local bool is_gone = false;  // the thread ends
  static Spare& own() {
    static thread_local Spare spare;
    return spare;
  }
  ~Spare() {
    is_gone = true;
    for (const ExecutedNode* node : nodes) delete node;
  }
  std::vector<ExecutedNode*> nodes;
};

void ExecutedNode::let_go(ExecutedNode* node) {
  living.fetch_sub(1, std::memory_order_relaxed);
  if (Spare::is_gone || Spare::own().nodes.size() >= Spare::kMost) {
    delete node;
    return;
  }
  node->values_.clear();
  node->copies_.clear();
  node->late_.reset();
  node->record_.reset();
  node->masks_.clear();
  node->name_.clear();
  node->attrs_.reset();
  node->shapes_.clear();
  node->handles_.clear();
  node->known_.clear();
  Spare::own().nodes.push_back(node);
}

ExecutedNode& ExecutedNode::make(Graph& graph, const Op& op, const std::shared_ptr<AttrMap>& attrs,
                                 std::span<const DType> types, const std::string& device) {
  static std::atomic<std::uint64_t> next{1};
  ExecutedNode* node = nullptr;
  if (!Spare::is_gone && !Spare::own().nodes.empty()) {
    node = Spare::own().nodes.back();
    Spare::own().nodes.pop_back();
  } else {
    node = new ExecutedNode;
    node->executed_ = true;
  }
  living.fetch_add(1, std::memory_order_relaxed);
  node->graph_ = &graph;
  node->op_ = &op;
  node->attrs_ = attrs;
  node->device_ = device;
  node->output_types_.assign(types.begin(), types.end());
  node->serial_ = next.fetch_add(1, std::memory_order_relaxed);
  return *node;
}

void ExecutedNode::add_value(Tensor value) {
  shapes_.push_back(value.has_value() ? PartialShape(value.shape()) : PartialShape());
  values_.push_back(std::move(value));
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
