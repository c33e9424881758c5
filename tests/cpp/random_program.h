#pragma once

#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "rill/rill.h"

namespace rill {

namespace random_parts {

inline Tensor ints(std::initializer_list<std::int32_t> values) {
  return Tensor::vector<std::int32_t>(values);
}
inline Tensor axis(std::int32_t value) { return Tensor::scalar(value); }
// A tensor of floating-point numbers of any width.
Tensor converted(DType dtype, const Shape& shape, const std::function<double()>& next);

}  // namespace random_parts

// A program made at random of what rewrites look for: layers, normalisations, activations, cells of
// recurrent networks, their gradients, updates, loops and branches, and what disturbs rewrites:
// values in between that are read, fetched, fed, waited for or wait, shapes that are not known,
// without elements or of one, other types than float. The same number makes the same program.
class RandomProgram {
 public:
  explicit RandomProgram(unsigned seed);

  // One step.
  std::vector<Feed> feeds;
  std::vector<Output> fetches;
  std::vector<Node*> targets;

  // The state that steps change: set before the first, read after the last.
  struct State {
    Node* set;
    Output start, value;
    Tensor tensor;  // to feed to `start`
  };
  std::vector<State> states;

  const std::shared_ptr<Graph>& graph() const { return graph_; }
  const std::string& story() const { return story_; }  // what it is made of
  DType dtype() const { return dtype_; }
  // Chooses what is fetched besides, and what is fed where the program computes it: values of the
  // graph that `values_of` can get. Fed values are those computed, moved a little.
  void disturb(const std::function<std::vector<Tensor>(const std::vector<Output>&)>& values_of);

 private:
  int below(int n) { return static_cast<int>(numbers_() % static_cast<unsigned>(n)); }
  bool one_in(int n) { return below(n) == 0; }
  template <class T>
  T any_of(const std::vector<T>& choices) {
    return choices[static_cast<std::size_t>(below(static_cast<int>(choices.size())))];
  }

  // Values.
  Tensor noise(const Shape& shape, double low = -1, double high = 1);
  Tensor number(double value);
  Output input(const Shape& shape, bool may_be_wrong = false);
  Variable variable(const Shape& shape, double low, double high, bool trainable);
  Output weight(const Shape& shape, double low = -0.5, double high = 0.5);
  std::int64_t width(const Output& x) const { return widths_.at(key(x)); }
  Output known(const Output& x, std::int64_t columns);
  static std::string key(const Output& x) { return x.name(); }

  // Blocks of a matrix [rows_, n]; each may make values in between that others read.
  Output block(const Output& x, int depth);
  Output dense(const Output& x, std::int64_t columns);
  Output activated(const Output& x);
  Output layer_norm(const Output& x);
  Output gelu(const Output& x);
  Output softmax(const Output& x);
  Output chain(const Output& x);
  Output operand(const Output& x);
  Output lstm(const Output& x);
  Output gru(const Output& x);
  Output images(const Output& x);
  Output convolved(const Output& image, std::int64_t channels);
  Output turned(const Output& x);
  Output looked_up(const Output& x);
  Output counted(const Output& x);
  Output acted(const Output& x);
  Output looped(const Output& x);
  Output branched(const Output& x);
  Output waiting(const Output& x, int depth);
  Output summed(const Output& x);
  Output recurrent(const Output& x);
  Output elsewhere(const Output& x, int depth);
  Output stacked(const Output& x);
  void train(const Output& loss);
  static std::set<const Node*> needed_for(const Node* last);

  std::mt19937 numbers_;
  std::shared_ptr<Graph> graph_ = make_graph();
  AsDefault in_graph_{graph_};
  DType dtype_ = DType::f32;
  std::int64_t rows_ = 3;
  std::string story_;
  bool changes_variables_ = false;  // and reads them again
  int depth_in_flow_ = 0;
  std::map<std::string, std::int64_t> widths_;
  std::vector<Node*> outside_;  // of loops and branches
  Output last_;
  std::vector<Output> sources_;  // what gradients are taken of
  std::vector<std::pair<Output, Shape>> weights_;
};

}  // namespace rill
