#include "rill/graph/layered_layout.h"

#include <algorithm>
#include <numeric>

#include "rill/base/subscript.h"

namespace rill::layout {
namespace {

constexpr std::size_t kLarge = 4000;            // boxes; of more no order is sought for long
constexpr int kLongest = 8, kLongestQuick = 3;  // layers that a line bends through there

class LayerMaker {
 public:
  LayerMaker(const std::vector<Size>& boxes, const std::vector<std::pair<int, int>>& edges,
             const Gaps& gaps)
      : boxes_(boxes), edges_(edges), gaps_(gaps), sizes_(boxes) {}

  Layout make() {
    if (boxes_.empty()) return {};
    turn_cycles();
    choose_layers();
    add_bends();
    order_layers();
    place();
    return finished();
  }

 private:
  int count() const { return static_cast<int>(boxes_.size()); }
  bool is_quick() const { return gaps_.is_quick || sizes_.size() > kLarge; }

  // Edges that close a cycle count in the other direction.
  void turn_cycles() {
    std::vector<std::vector<int>> out(boxes_.size());
    turned_.assign(edges_.size(), false);
    for (int e = 0; e < static_cast<int>(edges_.size()); ++e)
      out[at(edges_[at(e)].first)].push_back(e);
    std::vector<char> state(boxes_.size(), 0);  // 1: on the way, 2: done
    // What depends on nothing first: then the way back of a loop is what closes its cycle.
    std::vector<int> starts(boxes_.size());
    std::iota(starts.begin(), starts.end(), 0);
    std::vector<char> has_inputs(boxes_.size(), 0);
    for (const auto& [from, to] : edges_) has_inputs[at(to)] = 1;
    std::ranges::stable_sort(starts, {}, [&](int i) { return has_inputs[at(i)]; });
    for (const int start : starts) {
      if (state[at(start)] != 0) continue;
      std::vector<std::pair<int, std::size_t>> stack{{start, 0}};
      state[at(start)] = 1;
      while (!stack.empty()) {
        auto& [node, next] = stack.back();
        if (next == out[at(node)].size()) {
          state[at(node)] = 2;
          stack.pop_back();
          continue;
        }
        const int edge = out[at(node)][next++];
        const int to = edges_[at(edge)].second;
        if (state[at(to)] == 1) turned_[at(edge)] = true;
        if (state[at(to)] != 0) continue;
        state[at(to)] = 1;
        stack.emplace_back(to, 0);
      }
    }
  }

  std::pair<int, int> downward(int e) const {
    const auto [from, to] = edges_[at(e)];
    return turned_[at(e)] ? std::pair(to, from) : std::pair(from, to);
  }

  // As far up as what it depends on allows; what depends on nothing as far down as its readers do.
  void choose_layers() {
    layer_.assign(boxes_.size(), 0);
    std::vector<int> waiting(boxes_.size(), 0), ready;
    std::vector<std::vector<int>> readers(boxes_.size());
    for (int e = 0; e < static_cast<int>(edges_.size()); ++e) {
      const auto [from, to] = downward(e);
      if (from == to) continue;
      readers[at(from)].push_back(to);
      ++waiting[at(to)];
    }
    const std::vector<int> inputs = waiting;
    for (int i = 0; i < count(); ++i)
      if (waiting[at(i)] == 0) ready.push_back(i);
    for (std::size_t next = 0; next < ready.size(); ++next)
      for (const int reader : readers[at(ready[next])]) {
        layer_[at(reader)] = std::max(layer_[at(reader)], layer_[at(ready[next])] + 1);
        if (--waiting[at(reader)] == 0) ready.push_back(reader);
      }
    for (int i = 0; i < count(); ++i) {
      if (inputs[at(i)] > 0 || readers[at(i)].empty() || sizes_[at(i)].width == 0) continue;
      int nearest = layer_[at(readers[at(i)][0])];
      for (const int reader : readers[at(i)]) nearest = std::min(nearest, layer_[at(reader)]);
      layer_[at(i)] = nearest - 1;
    }
  }

  // A line that passes layers has a place in each of them.
  void add_bends() {
    chains_.resize(edges_.size());
    for (int e = 0; e < static_cast<int>(edges_.size()); ++e) {
      const auto [from, to] = downward(e);
      if (from == to) continue;
      std::vector<int>& chain = chains_[at(e)];
      chain.push_back(from);
      // In large pictures a line that passes very many layers is straight.
      const int span = layer_[at(to)] - layer_[at(from)];
      const bool bends =
          gaps_.is_quick ? span <= kLongestQuick : boxes_.size() <= kLarge || span <= kLongest;
      for (int layer = layer_[at(from)] + 1; bends && layer < layer_[at(to)]; ++layer) {
        chain.push_back(static_cast<int>(sizes_.size()));
        sizes_.push_back({1, 0});
        layer_.push_back(layer);
      }
      chain.push_back(to);
    }
    above_.resize(sizes_.size());
    below_.resize(sizes_.size());
    for (const auto& chain : chains_)
      for (std::size_t i = 1; i < chain.size(); ++i) {
        if (layer_[at(chain[i])] != layer_[at(chain[i - 1])] + 1) continue;
        above_[at(chain[i])].push_back(chain[i - 1]);
        below_[at(chain[i - 1])].push_back(chain[i]);
      }
    layers_.resize(at(*std::ranges::max_element(layer_) + 1));
    for (int i = 0; i < static_cast<int>(sizes_.size()); ++i)
      layers_[at(layer_[at(i)])].push_back(i);
    position_.resize(sizes_.size());
    for (const auto& layer : layers_) note_positions(layer);
  }

  void note_positions(const std::vector<int>& layer) {
    for (int i = 0; i < static_cast<int>(layer.size()); ++i) position_[at(layer[at(i)])] = i;
  }

  // Each layer is sorted by where the neighbours in the next one are, down and up again, and the
  // order with the fewest crossings is kept.
  void order_layers() {
    const int sweeps = is_quick() ? 2 : 16;
    auto best = layers_;
    long long fewest = crossings();
    for (int sweep = 0; sweep < sweeps && fewest > 0; ++sweep) {
      const bool down = sweep % 2 == 0;
      for (std::size_t i = 0; i < layers_.size(); ++i)
        sort_layer(layers_[down ? i : layers_.size() - 1 - i], down ? above_ : below_);
      if (const long long found = crossings(); found < fewest) {
        fewest = found;
        best = layers_;
      }
    }
    layers_ = std::move(best);
    for (const auto& layer : layers_) note_positions(layer);
  }

  void sort_layer(std::vector<int>& layer, const std::vector<std::vector<int>>& neighbours) {
    std::vector<std::pair<double, int>> keyed;
    for (const int node : layer) {
      double sum = 0;
      for (const int other : neighbours[at(node)]) sum += position_[at(other)];
      const bool alone = neighbours[at(node)].empty();
      keyed.emplace_back(
          alone ? position_[at(node)] : sum / static_cast<double>(neighbours[at(node)].size()),
          node);
    }
    std::ranges::stable_sort(keyed, {}, &std::pair<double, int>::first);
    for (std::size_t i = 0; i < layer.size(); ++i) layer[i] = keyed[i].second;
    note_positions(layer);
  }

  // Of the lines between layers, by a Fenwick tree of the ends that were passed so far.
  long long crossings() const {
    long long total = 0;
    std::vector<int> own;
    std::vector<long long> passed;  // how many ends were at each position
    for (std::size_t i = 0; i + 1 < layers_.size(); ++i) {
      passed.assign(layers_[i + 1].size() + 1, 0);
      long long ends = 0;
      for (const int node : layers_[i]) {
        own.clear();
        for (const int below : below_[at(node)]) own.push_back(position_[at(below)]);
        for (const int end : own) {
          long long not_beyond = 0;
          for (std::size_t k = at(end) + 1; k > 0; k &= k - 1) not_beyond += passed[k];
          total += ends - not_beyond;
        }
        for (const int end : own)
          for (std::size_t k = at(end) + 1; k < passed.size(); k += k & (~k + 1)) ++passed[k];
        ends += static_cast<long long>(own.size());
      }
    }
    return total;
  }

  // Boxes wish to be in the middle of their neighbours; each layer is then pushed apart.
  void place() {
    const int rounds = is_quick() ? 3 : 12;
    centre_.assign(sizes_.size(), 0);
    for (const auto& layer : layers_) spread(layer, std::vector<double>(layer.size(), 0));
    for (int round = 0; round < rounds; ++round) {
      const bool down = round % 2 == 0;
      for (std::size_t i = 0; i < layers_.size(); ++i) {
        const auto& layer = layers_[down ? i : layers_.size() - 1 - i];
        std::vector<double> wishes;
        for (const int node : layer) wishes.push_back(wish(node, down ? above_ : below_));
        spread(layer, wishes);
      }
    }
  }

  double wish(int node, const std::vector<std::vector<int>>& neighbours) const {
    std::vector<double> places;
    for (const int other : neighbours[at(node)]) places.push_back(centre_[at(other)]);
    if (places.empty()) return centre_[at(node)];
    std::ranges::sort(places);
    return (places[(places.size() - 1) / 2] + places[places.size() / 2]) / 2;
  }

  double apart(int left, int right) const {
    const bool bends = left >= count() && right >= count();
    return (sizes_[at(left)].width + sizes_[at(right)].width) / 2 +
           (bends ? gaps_.across / 2 : gaps_.across);
  }

  // Runs of boxes that would overlap stand side by side around the mean of their wishes.
  void spread(const std::vector<int>& layer, const std::vector<double>& wishes) {
    struct Run {
      std::size_t first, last;
      double sum, start;  // of wishes less offsets; where the first centre is
    };
    std::vector<Run> runs;
    std::vector<double> offset(layer.size(), 0);
    for (std::size_t i = 0; i < layer.size(); ++i) {
      runs.push_back({i, i, wishes[i], wishes[i]});
      while (runs.size() > 1) {
        Run& last = runs.back();
        Run& before = runs[runs.size() - 2];
        const double gap = apart(layer[last.first - 1], layer[last.first]);
        const double end = before.start + offset[last.first - 1];
        if (last.start >= end + gap) break;
        const double shift = offset[last.first - 1] + gap;
        for (std::size_t k = last.first; k <= last.last; ++k) {
          offset[k] += shift;
          before.sum -= shift;
        }
        before.sum += last.sum;
        before.last = last.last;
        before.start = before.sum / static_cast<double>(before.last - before.first + 1);
        runs.pop_back();
      }
    }
    for (const Run& run : runs)
      for (std::size_t i = run.first; i <= run.last; ++i)
        centre_[at(layer[i])] = run.start + offset[i];
  }

  Layout finished() {
    std::vector<double> top(layers_.size(), 0), height(layers_.size(), 0);
    double y = 0, left = 0, right = 0;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      double reach = 0;  // how far the lines to the next layer lead sideways
      for (const int node : layers_[i]) {
        height[i] = std::max(height[i], sizes_[at(node)].height);
        left = std::min(left, centre_[at(node)] - sizes_[at(node)].width / 2);
        right = std::max(right, centre_[at(node)] + sizes_[at(node)].width / 2);
        for (const int other : below_[at(node)])
          reach = std::max(reach, std::abs(centre_[at(other)] - centre_[at(node)]));
      }
      top[i] = y;
      y += height[i] + (i + 1 < layers_.size() ? gaps_.down + std::min(reach / 12, 60.0) : 0);
    }
    Layout layout{.size = {right - left, y}, .places = {}, .routes = {}};
    for (int i = 0; i < count(); ++i)
      layout.places.push_back(
          {centre_[at(i)] - sizes_[at(i)].width / 2 - left, top[at(layer_[at(i)])]});
    for (std::size_t e = 0; e < edges_.size(); ++e)
      layout.routes.push_back(route(e, top, height, left));
    return layout;
  }

  std::vector<Point> route(std::size_t e, const std::vector<double>& top,
                           const std::vector<double>& height, double left) const {
    std::vector<Point> points;
    const std::vector<int>& chain = chains_[e];
    for (std::size_t i = 0; i < chain.size(); ++i) {
      const std::size_t layer = at(layer_[at(chain[i])]);
      const double x = centre_[at(chain[i])] - left;
      const bool is_box = chain[i] < count();
      if (i > 0) points.push_back({x, top[layer]});
      if (i + 1 == chain.size()) break;
      // Past higher boxes beside it a line goes straight down.
      const double end = top[layer] + height[layer];
      if (is_box && sizes_[at(chain[i])].height > 0)
        points.push_back({x, top[layer] + sizes_[at(chain[i])].height});
      if (points.empty() || points.back().y < end) points.push_back({x, end});
    }
    if (turned_[e]) std::ranges::reverse(points);
    return points;
  }

  const std::vector<Size>& boxes_;
  const std::vector<std::pair<int, int>>& edges_;
  const Gaps gaps_;
  std::vector<Size> sizes_;  // of boxes and bends
  std::vector<bool> turned_;
  std::vector<int> layer_, position_;
  std::vector<std::vector<int>> chains_, above_, below_, layers_;
  std::vector<double> centre_;
};

}  // namespace

Layout layered_layout(const std::vector<Size>& boxes, const std::vector<std::pair<int, int>>& edges,
                      const Gaps& gaps) {
  return LayerMaker(boxes, edges, gaps).make();
}

}  // namespace rill::layout
