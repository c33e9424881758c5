#pragma once

#include <nanobind/nanobind.h>

#include <unordered_map>
#include <vector>

#include "objects.h"

namespace rill::python {

// What a run is asked for: a tensor, operation or name, or nested lists, tuples, named tuples and
// dicts of these. The same walk collects the leaves and later puts their values back.
class Fetches {
 public:
  Fetches(GraphObject& graph, nb::handle structure);

  // Distinct tensors that are not fed, and operations.
  const std::vector<Output>& tensors() const { return tensors_; }
  const std::vector<Node*>& operations() const { return operations_; }

  bool wants(Output output) const { return values_.contains(output); }
  // Tells that a tensor is fed: its value is taken from here instead of being computed.
  void set_fed(Output output, nb::object value);
  void forget_fed_tensors();  // removes what set_fed told from tensors()

  // The structure with values in place; `values` are those of tensors().
  nb::object build(std::vector<nb::object> values);

 private:
  void collect(nb::handle item);
  void collect_leaf(nb::handle item);
  bool collect_expansion(nb::handle item);
  bool is_expanded(nb::handle item) const;
  nb::object leaf_value(std::size_t& next) const;
  nb::object single_value(const Output& leaf) const;
  nb::object rebuild(nb::handle item, std::size_t& next) const;

  GraphObject& graph_;
  nb::object structure_;
  // A leaf that stands for several tensors, the first of them at its position among the leaves.
  struct Expansion {
    std::size_t count;
    nb::object put_together;  // a function of the list of their values
  };

  std::vector<Output> leaves_;
  std::unordered_map<std::size_t, Expansion> expansions_;
  std::vector<nb::object> expanded_;  // the leaves of the structure that stand for several
  std::vector<Output> tensors_;
  std::vector<Node*> operations_;
  std::unordered_map<Output, nb::object, OutputHash> values_;
};

}  // namespace rill::python
