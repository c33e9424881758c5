#include "rill/graph/tape.h"

#include <algorithm>
#include <atomic>

#include "rill/base/error.h"

namespace rill {
namespace {

std::vector<Tape*>& tapes_on() {
  static thread_local std::vector<Tape*> on;
  return on;
}

std::uint64_t new_id() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

std::uint64_t key_of(const Output& x) {
  return executed(*x.node).serial() << 12 | static_cast<std::uint64_t>(x.index);
}

constexpr TypeSet kDifferentiable = kFloatTypes | kComplexTypes | DType::resource | DType::variant;

}  // namespace

Tape::Tape(bool watches_variables) : id_(new_id()), watches_variables_(watches_variables) {}

Tape::~Tape() {
  stop();
  forget_records();
}

void Tape::start() {
  if (!is_on()) tapes_on().push_back(this);
}
void Tape::stop() { std::erase(tapes_on(), this); }
bool Tape::is_on() const { return std::ranges::find(tapes_on(), this) != tapes_on().end(); }

void Tape::reset() {
  forget_records();
  watched_.clear();
  variables_.clear();
  id_ = new_id();
}

void Tape::forget_records() {
  std::vector<std::vector<Output>> inputs;  // freed at the end, when nothing is walked any more
  for (const auto& weak : records_) {
    const auto record = weak.lock();
    if (record == nullptr) continue;
    std::erase(record->tapes, id_);
    if (record->tapes.empty()) inputs.push_back(std::move(record->inputs));
    if (record->tapes.empty()) record->inputs.clear();
  }
  records_.clear();
}

void Tape::watch(const Output& x) {
  require(bool(x.node) && x.node->is_executed(), "only tensors with a value can be watched");
  watched_.insert(key_of(x));
}

void Tape::add_variable(const Output& handle) {
  watch(handle);
  if (std::ranges::find(variables_, handle) == variables_.end()) variables_.push_back(handle);
}

bool Tape::has_recorded(const Node& node) const {
  if (!node.is_executed()) return false;
  const auto& record = executed(node).record();
  return record != nullptr && std::ranges::find(record->tapes, id_) != record->tapes.end();
}

bool Tape::tracks(const Output& x) const {
  return kDifferentiable.contains(x.dtype()) &&
         (has_recorded(*x.node) || watched_.contains(key_of(x)));
}

void record_on_tapes(ExecutedNode& node, const std::vector<Output>& inputs) {
  std::shared_ptr<TapeRecord> record;
  for (Tape* tape : tapes_on()) {
    if (std::ranges::none_of(inputs, [&](const Output& x) { return tape->tracks(x); })) continue;
    if (record == nullptr) record = std::make_shared<TapeRecord>(TapeRecord{inputs, {}});
    record->tapes.push_back(tape->id_);
    tape->records_.push_back(record);
    if (tape->records_.size() < tape->next_sweep_) continue;
    std::erase_if(tape->records_, [](const auto& weak) { return weak.expired(); });
    tape->next_sweep_ = 2 * tape->records_.size() + 256;
  }
  if (record != nullptr) node.set_record(std::move(record));
}

void note_variable_read(const Output& handle) {
  if (!handle.node->is_executed()) return;
  for (Tape* tape : tapes_on())
    if (tape->watches_variables()) tape->add_variable(handle);
}

bool any_tape_is_on() { return !tapes_on().empty(); }

bool any_tape_tracks(std::span<const Output> inputs) {
  return std::ranges::any_of(tapes_on(), [&](const Tape* tape) {
    return std::ranges::any_of(inputs, [&](const Output& x) { return tape->tracks(x); });
  });
}

WithoutTapes::WithoutTapes() { on_.swap(tapes_on()); }
WithoutTapes::~WithoutTapes() { tapes_on() = std::move(on_); }

}  // namespace rill
