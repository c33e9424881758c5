#include "rill/passes/ref_variable_reads.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>

#include "rill/base/subscript.h"

namespace rill {
namespace {

class RefVariableReads {
 public:
  RefVariableReads(Subgraph& graph, bool fetches_come_last)
      : graph_(graph), fetches_come_last_(fetches_come_last) {}

  int run() {
    find_variables();
    if (!find_writers()) return 0;
    for (std::size_t begin = 0; begin < writers_.size(); begin += kGroup)
      find_late_readers(begin, std::min(writers_.size(), begin + kGroup));
    for (const auto& [reader, controls] : late_) {
      const auto [item, input] = reader;
      const int share = graph_.items[at(item)].inputs[at(input)].item;
      const Edge now = fresh(share, controls, item);
      graph_.items[at(item)].inputs[at(input)] = now;
    }
    const int changed = static_cast<int>(late_.size()) + move_fetched_reads();
    if (changed > 0) restore_order();
    return changed;
  }

 private:
  using Item = Subgraph::Item;
  using Edge = Subgraph::Edge;
  static constexpr std::size_t kGroup = 64;  // writers that are followed at once, a bit each
  using Bits = std::uint64_t;

  bool takes_ref(const Item& item, std::size_t input) const {
    return item.is_plain() && is_ref(item.node->input_type(static_cast<int>(input)));
  }

  // Which variable each item refers to, or has a share in as its value.
  void find_variables() {
    refers_to_.assign(graph_.items.size(), -1);
    alias_of_.assign(graph_.items.size(), -1);
    in_flow_.assign(graph_.items.size(), false);
    for (std::size_t i = 0; i < graph_.items.size(); ++i) {
      const Item& item = graph_.items[i];
      if (!item.is_plain()) continue;
      if (item.node->output_count() > 0 && is_ref(item.node->output_type(0))) follow_ref(i);
      if (is_share(item)) {
        const Edge& input = item.inputs[0];
        alias_of_[i] = is_ref(graph_.dtype(input)) ? refers_to_[at(input.item)]
                       : input.output == 0         ? alias_of_[at(input.item)]
                                                   : -1;
      }
    }
  }

  void follow_ref(std::size_t i) {
    const Item& item = graph_.items[i];
    refers_to_[i] = static_cast<int>(i);
    for (std::size_t k = 0; k < item.inputs.size(); ++k) {
      const int source = item.inputs[k].item;
      if (!takes_ref(item, k) || source < 0 || at(source) >= i) continue;  // not a loop's back edge
      refers_to_[i] = refers_to_[at(source)];
      in_flow_[i] = in_flow_[at(source)] || item.node->op().has(kControlFlow);
      return;
    }
  }

  // Whether its output is the memory of its first input, which is no reference to it any more.
  bool is_share(const Item& item) const {
    return item.node->op().has(kForwards) && item.node->op().has(kPure) && !item.inputs.empty() &&
           !is_ref(item.node->input_type(0)) && !is_ref(item.node->output_type(0));
  }

  bool changes_its_ref(const Item& item) const {
    const Op& op = item.node->op();
    return !op.has(kPure) && !op.has(kIdentity) && !op.has(kControlFlow) && !op.has(kForwards);
  }

  // False when no variable that is read is changed.
  bool find_writers() {
    std::vector<bool> is_read(graph_.items.size(), false);
    for (const int variable : alias_of_)
      if (variable >= 0) is_read[at(variable)] = true;
    for (std::size_t i = 0; i < graph_.items.size(); ++i) {
      const Item& item = graph_.items[i];
      if (!item.is_plain() || !changes_its_ref(item)) continue;
      for (std::size_t k = 0; k < item.inputs.size(); ++k) {
        if (!takes_ref(item, k) || item.inputs[k].item < 0) continue;
        const int variable = refers_to_[at(item.inputs[k].item)];
        if (variable >= 0 && is_read[at(variable)])
          writers_.push_back({static_cast<int>(i), variable});
      }
    }
    return !writers_.empty();
  }

  // Users of a share that come behind writers which the share itself does not come behind.
  void find_late_readers(std::size_t begin, std::size_t end) {
    std::vector<Bits> behind(graph_.items.size(), 0);  // writers before an item, or the item itself
    std::vector<Bits> own(graph_.items.size(), 0);
    std::map<int, Bits> of_variable;
    for (std::size_t w = begin; w < end; ++w) {
      own[at(writers_[w].item)] |= Bits{1} << (w - begin);
      of_variable[writers_[w].variable] |= Bits{1} << (w - begin);
    }
    for (std::size_t i = 0; i < graph_.items.size(); ++i) {
      const Item& item = graph_.items[i];
      Bits before = 0;
      for (const Edge& input : item.inputs)
        if (input.item >= 0 && at(input.item) < i) before |= behind[at(input.item)];
      for (const int control : item.controls) before |= behind[at(control)];
      behind[i] = before | own[i];
      if (before == 0 || !item.is_plain() || item.node->op().has(kMerge)) continue;
      for (std::size_t k = 0; k < item.inputs.size(); ++k)
        note_late_reader(i, k, before, behind, of_variable);
    }
  }

  void note_late_reader(std::size_t i, std::size_t k, Bits before, const std::vector<Bits>& behind,
                        const std::map<int, Bits>& of_variable) {
    const Item& item = graph_.items[i];
    const Edge& input = item.inputs[k];
    if (input.item < 0 || input.output != 0 || alias_of_[at(input.item)] < 0) return;
    const auto writers = of_variable.find(alias_of_[at(input.item)]);
    if (writers == of_variable.end()) return;
    const Bits missed = before & writers->second & ~behind[at(input.item)];
    if (missed == 0) return;
    // The read waits for what the user waits for: that is alive whenever the user is.
    std::set<int>& controls = late_[{static_cast<int>(i), static_cast<int>(k)}];
    for (const Edge& other : item.inputs)
      if ((behind[at(other.item)] & missed) != 0) controls.insert(other.item);
    for (const int control : item.controls)
      if ((behind[at(control)] & missed) != 0) controls.insert(control);
  }

  // The share read anew after `controls`, before its first user.
  Edge fresh(int share, const std::set<int>& controls, int user) {
    const auto known = fresh_.find({share, controls});
    if (known != fresh_.end()) return {known->second, 0};
    Item copy = graph_.items[at(share)];
    if (is_ref(graph_.dtype(copy.inputs[0]))) {
      for (const int control : controls)
        if (std::ranges::find(copy.controls, control) == copy.controls.end())
          copy.controls.push_back(control);
    } else {
      copy.inputs[0] = fresh(copy.inputs[0].item, controls, user);
    }
    const int added = static_cast<int>(graph_.items.size());
    graph_.items.push_back(std::move(copy));
    added_before_.push_back(user);
    fresh_[{share, controls}] = added;
    return {added, 0};
  }

  int move_fetched_reads() {
    int changed = 0;
    for (Edge& fetch : graph_.fetches) {
      if (at(fetch.item) >= alias_of_.size() || fetch.output != 0) continue;
      const int variable = alias_of_[at(fetch.item)];
      std::set<int> writers;
      bool any = false;
      for (const Writer& writer : writers_) {
        if (writer.variable != variable) continue;
        any = true;
        if (!in_flow_[at(writer.item)]) writers.insert(writer.item);
      }
      if (variable < 0 || !any) continue;
      ++changed;
      const Edge* const ref = fetches_come_last_ ? identical_ref(fetch.item) : nullptr;
      if (ref != nullptr) {
        const Edge whole = *ref;
        graph_.targets.push_back(fetch.item);  // what it waits for must happen all the same
        fetch = whole;
      } else {
        fetch = fresh(fetch.item, writers, old_count());
      }
    }
    return changed;
  }

  int old_count() const { return static_cast<int>(alias_of_.size()); }

  // Moves what was added to where it belongs.
  void restore_order() {
    std::vector<int> order(added_before_.size());
    std::iota(order.begin(), order.end(), old_count());
    std::ranges::stable_sort(order, {}, [&](int i) { return added_before_[at(i - old_count())]; });
    std::vector<int> moved(graph_.items.size());
    std::vector<Item> items;
    items.reserve(graph_.items.size());
    const auto take = [&](int i) {
      moved[at(i)] = static_cast<int>(items.size());
      items.push_back(std::move(graph_.items[at(i)]));
    };
    auto next = order.begin();
    for (int i = 0; i < old_count(); ++i) {
      for (; next != order.end() && added_before_[at(*next - old_count())] == i; ++next)
        take(*next);
      take(i);
    }
    for (; next != order.end(); ++next) take(*next);
    const auto move = [&](int& i) { i = moved[at(i)]; };
    for (Item& item : items) {
      for (Edge& input : item.inputs) move(input.item);
      for (int& control : item.controls) move(control);
    }
    for (Edge& fetch : graph_.fetches) move(fetch.item);
    for (int& target : graph_.targets) move(target);
    graph_.items = std::move(items);
  }

  // The reference whose value the share is, unchanged in shape.
  const Edge* identical_ref(int share) const {
    const Item& item = graph_.items[at(share)];
    if (!item.node->op().has(kIdentity)) return nullptr;
    return is_ref(graph_.dtype(item.inputs[0])) ? &item.inputs[0]
                                                : identical_ref(item.inputs[0].item);
  }

  struct Writer {
    int item, variable;
  };

  Subgraph& graph_;
  const bool fetches_come_last_;
  std::vector<int> refers_to_, alias_of_;  // items of variables; -1: none
  std::vector<bool> in_flow_;              // references that went through branches or loops
  std::vector<Writer> writers_;
  std::map<std::pair<int, int>, std::set<int>> late_;  // (item, input) -> what to wait for
  std::map<std::pair<int, std::set<int>>, int> fresh_;
  std::vector<int> added_before_;  // the first users of what was added
};

}  // namespace

int ref_variable_reads(Subgraph& graph, bool fetches_come_last) {
  return RefVariableReads(graph, fetches_come_last).run();
}

}  // namespace rill
