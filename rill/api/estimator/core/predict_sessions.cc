#include "rill/api/estimator/core/predict_sessions.h"

#include "rill/api/core/collections.h"
#include "rill/base/file_system.h"

namespace rill::estimator {
namespace {

constexpr std::size_t kMaxIdle = 4;

std::string item_name(const CollectionItem& item) {
  struct Name {
    std::string operator()(const Output& tensor) const { return tensor.name(); }
    std::string operator()(Node* node) const { return node->name(); }
    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const { return std::to_string(number); }
    std::string operator()(const std::shared_ptr<Collectable>& object) const {
      return object->collected_name();
    }
  };
  return std::visit(Name(), item);
}

}  // namespace

CheckpointIdentity identity_of(const std::string& checkpoint) {
  const std::string index = checkpoint + ".index";
  const FileFacts facts = file_system_of(index).facts(index);
  return {checkpoint, facts.modified_nanos, static_cast<std::int64_t>(facts.size)};
}

std::vector<std::string> collection_names(Graph& graph) {
  std::vector<std::string> names;
  const Collections& collections = collections_of(graph);
  for (const std::string& name : collections.names()) {
    names.push_back("=" + name);
    for (const CollectionItem& item : collections.get(name)) names.push_back(item_name(item));
  }
  return names;
}

std::optional<PredictSessions::Loan> PredictSessions::borrow(const Graph& graph,
                                                             const CheckpointIdentity& checkpoint) {
  const std::lock_guard lock(mutex_);
  const std::vector<std::string> collections = collection_names(const_cast<Graph&>(graph));
  for (std::size_t i = idle_.size(); i-- > 0;) {
    PredictSession& held = *idle_[i];
    if (held.checkpoint != checkpoint || held.collections != collections) continue;
    auto feeds = differing_data(*held.graph, graph, held.node_count);
    if (!feeds) continue;
    Loan loan{std::move(idle_[i]), std::move(*feeds)};
    idle_.erase(idle_.begin() + static_cast<std::ptrdiff_t>(i));
    return loan;
  }
  return {};
}

void PredictSessions::clear() {
  const std::lock_guard lock(mutex_);
  idle_.clear();
}

void PredictSessions::give_back(std::unique_ptr<PredictSession> held) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(held));
  if (idle_.size() > kMaxIdle) idle_.erase(idle_.begin());
}

}  // namespace rill::estimator
