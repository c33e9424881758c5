#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <span>
#include <vector>

#include "rill/base/error.h"
#include "rill/base/memory.h"
#include "rill/ops/ctc/decoded.h"

namespace rill {

// The likeliest label sequences of a growing sequence of frames (Graves and Jaitly, 2014): a tree
// of labels of which `width` nodes, the beam, are followed. Probabilities are logarithms.
template <class T>
class Beam {
 public:
  Beam(std::size_t width, std::size_t class_count)
      : width_(width), children_(class_count), log_(class_count) {
    Node& root = nodes_.emplace_back();
    root.now = {0, kNever, 0};
    beam_.push_back(&root);
  }

  // Takes one frame of logits, the last one of which is the blank's.
  void add_frame(const T* logits);

  // The likeliest sequences so far, with their probabilities. Throws InvalidArgument when fewer
  // than `count` are followed.
  void best(std::size_t count, bool merge_repeated, LabelSequence* labels, T* scores) const;

 private:
  static constexpr T kNever = -std::numeric_limits<T>::infinity();

  // That the frames so far spell a sequence, and end in its last label or in a blank.
  struct Chance {
    T total = kNever, label = kNever, blank = kNever;
  };
  struct Node {
    Node* parent = nullptr;
    std::int64_t label = -1;
    Chance before, now;
    std::vector<Node*> children;

    bool is_followed() const { return now.total != kNever; }
  };
  // For heaps whose front is the least likely.
  struct Likelier {
    bool operator()(const Node* a, const Node* b) const { return a->now.total > b->now.total; }
  };

  static T add_logs(T a, T b) {
    if (a == kNever && b == kNever) return kNever;
    return a > b ? a + std::log1p(std::exp(b - a)) : b + std::log1p(std::exp(a - b));
  }
  bool is_candidate(T total) const {
    return total > kNever && (beam_.size() < width_ || total > beam_.front()->now.total);
  }
  void set_logs(const T* logits);
  void keep_going(std::span<Node* const> nodes);
  void grow(Node& node);
  void follow(Node& node);
  Node& child(Node& node, std::int64_t label);

  const std::size_t width_;
  std::deque<Node> nodes_;
  std::vector<Node*> beam_;      // a heap of Likelier
  std::vector<Node*> children_;  // of the node that grows, by label
  std::vector<T> log_;           // probability of each class in this frame
};

template <class T>
void Beam<T>::set_logs(const T* logits) {
  const T shift = *std::max_element(logits, logits + log_.size());
  T sum = 0;
  for (std::size_t i = 0; i < log_.size(); ++i) sum += std::exp(logits[i] - shift);
  const T offset = shift + std::log(sum);
  for (std::size_t i = 0; i < log_.size(); ++i) log_[i] = logits[i] - offset;
}

template <class T>
void Beam<T>::add_frame(const T* logits) {
  set_logs(logits);
  std::vector<Node*> nodes = std::move(beam_);
  beam_.clear();
  std::sort_heap(nodes.begin(), nodes.end(), Likelier());
  keep_going(nodes);
  for (Node* node : nodes)
    if (is_candidate(node->before.total)) grow(*node);
}

// The sequences stay the same: another frame of the last label, or a blank.
template <class T>
void Beam<T>::keep_going(std::span<Node* const> nodes) {
  for (Node* node : nodes) node->before = node->now;
  for (Node* node : nodes) {
    if (const Node* parent = node->parent) {
      if (parent->is_followed())
        node->now.label =
            add_logs(node->now.label,
                     node->label == parent->label ? parent->before.blank : parent->before.total);
      node->now.label += log_[static_cast<std::size_t>(node->label)];
    }
    node->now.blank = node->before.total + log_.back();
    node->now.total = add_logs(node->now.blank, node->now.label);
    beam_.push_back(node);
    std::push_heap(beam_.begin(), beam_.end(), Likelier());
  }
}

// The sequences become longer by one label.
template <class T>
void Beam<T>::grow(Node& node) {
  for (Node* known : node.children) children_[static_cast<std::size_t>(known->label)] = known;
  for (std::size_t i = 0; i + 1 < log_.size(); ++i) {
    if (children_[i] != nullptr && children_[i]->is_followed()) continue;
    const auto label = static_cast<std::int64_t>(i);
    const T total = log_[i] + (label == node.label ? node.before.blank : node.before.total);
    if (!is_candidate(total)) {
      // A node that was dropped in this frame, and not found worth coming back, does not grow.
      if (children_[i] != nullptr) children_[i]->before = {};
      continue;
    }
    Node& longer = child(node, label);
    longer.now = {total, total, kNever};
    follow(longer);
  }
  for (Node* known : node.children) children_[static_cast<std::size_t>(known->label)] = nullptr;
}

// The least likely one makes room.
template <class T>
void Beam<T>::follow(Node& node) {
  if (beam_.size() == width_) {
    std::pop_heap(beam_.begin(), beam_.end(), Likelier());
    beam_.back()->now = {};
    beam_.pop_back();
  }
  beam_.push_back(&node);
  std::push_heap(beam_.begin(), beam_.end(), Likelier());
}

template <class T>
typename Beam<T>::Node& Beam<T>::child(Node& node, std::int64_t label) {
  if (Node* known = children_[static_cast<std::size_t>(label)]) return *known;
  constexpr std::size_t kNodesUnwatched = 1 << 16;
  if (nodes_.size() % kNodesUnwatched == 0 &&
      available_memory() < kNodesUnwatched * 4 * sizeof(Node))
    raise(Code::kResourceExhausted, "no memory for a beam_width of ", width_);
  Node& made = nodes_.emplace_back();
  made.parent = &node;
  made.label = label;
  node.children.push_back(&made);
  return made;
}

template <class T>
void Beam<T>::best(std::size_t count, bool merge_repeated, LabelSequence* labels, T* scores) const {
  require(count <= width_, "requested more paths than the beam width.");
  require(count <= beam_.size(), "Less leaves in the beam search than requested.");
  std::vector<Node*> nodes = beam_;
  std::sort_heap(nodes.begin(), nodes.end(), Likelier());
  for (std::size_t i = 0; i < count; ++i) {
    scores[i] = nodes[i]->now.total;
    std::int64_t behind = -1;
    for (const Node* node = nodes[i]; node->parent != nullptr; node = node->parent) {
      if (!merge_repeated || node->label != behind) labels[i].push_back(node->label);
      behind = node->label;
    }
    std::ranges::reverse(labels[i]);
  }
}

}  // namespace rill
