#pragma once

#include <optional>
#include <string>

#include "rill/api/data/dataset.h"

namespace rill::data {

// Walks through a dataset, one element in every step that asks.
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
  // its elements are of other types.
  Node& make_initializer(const Dataset& dataset, const std::string& name = "") const;

  // The parts of the next element; steps fail with OutOfRange when there is none.
  Components get_next(const std::string& name = "") const;
  std::vector<Output> next_tensors(const std::string& name = "") const;  // all parts are tensors
  Component get_next_as_optional() const;
  Output string_handle(const std::string& name = "") const;

 private:
  Output resource_;
  Node* initializer_;
  ElementSpec element_;
  Output string_handle_;
};

// Something of this structure, or nothing.
Component optional_from_value(const Components& value);
Component optional_none(const ElementSpec& element);
Output optional_has_value(const Component& optional, const std::string& name = "");
Components optional_get_value(const Component& optional, const std::string& name = "");

}  // namespace rill::data
