#pragma once

#include <optional>
#include <string>

#include "rill/api/data/dataset.h"

namespace rill::data {

// Walks through a dataset, one element in every step that asks: all get_next() nodes that a step
// runs share the position, and several of them take several elements.
//
//   Iterator it = data.make_initializable_iterator();
//   auto x = it.next_tensors();
//   session.run({}, {}, {&it.initializer()});
//
// The position belongs to the session. Steps fail with FailedPrecondition before the initializer
// ran.
class Iterator {
 public:
  Iterator(Output resource, Node* initializer, ElementSpec element);

  // One that any dataset with such elements can be given to.
  static Iterator from_structure(const ElementSpec& element, const std::string& shared_name = "");
  // The iterator whose string_handle() a step feeds.
  static Iterator from_string_handle(const Input& string_handle, const ElementSpec& element);

  Output resource() const { return resource_; }
  const ElementSpec& element() const { return element_; }
  // Throws InvalidArgument where there is none.
  Node& initializer() const;
  // What makes this iterator begin at the first element of `dataset`. Throws InvalidArgument where
  // its elements are of other kinds or types, or of shapes that cannot fit.
  Node& make_initializer(const Dataset& dataset, const std::string& name = "") const;

  // The parts of the next element; steps fail with OutOfRange when there is none.
  Components get_next(const std::string& name = "") const;
  std::vector<Output> next_tensors(const std::string& name = "") const;  // all parts are tensors
  // An optional that is empty at the end, instead of OutOfRange: for loops inside of a graph.
  Component get_next_as_optional() const;
  // To be fetched once and fed where from_string_handle() chooses among iterators.
  Output string_handle(const std::string& name = "") const;

 private:
  Output resource_;
  NodePtr initializer_;
  ElementSpec element_;
  Output string_handle_;
};

// Something of this structure, or nothing. optional_get_value fails the step where there is
// nothing; all but the first throw InvalidArgument for what is no optional.
Component optional_from_value(const Components& value);
Component optional_none(const ElementSpec& element);
Output optional_has_value(const Component& optional, const std::string& name = "");
Components optional_get_value(const Component& optional, const std::string& name = "");

}  // namespace rill::data
