#include "fetches.h"

#include <algorithm>

#include "errors.h"
#include "package.h"

namespace rill::python {
namespace {

bool is_mapping(nb::handle h) {
  if (PyDict_Check(h.ptr())) return true;
  return nb::hasattr(h, "keys") && nb::hasattr(h, "__getitem__") && !nb::hasattr(h, "op");
}

bool is_plain_leaf(nb::handle h) {
  return is_tensor(h) || is_operation(h) || PyUnicode_Check(h.ptr());
}

bool is_attrs_object(nb::handle h) { return nb::hasattr(h.type(), "__attrs_attrs__"); }

nb::list attr_values(nb::handle h) {
  nb::list values;
  for (nb::handle field : h.type().attr("__attrs_attrs__"))
    values.append(h.attr(nb::cast<nb::str>(field.attr("name"))));
  return values;
}

// Lists stay lists, tuples tuples; a named tuple is made anew from its class.
nb::object sequence_like(nb::handle model, nb::list values) {
  if (PyList_Check(model.ptr())) return values;
  if (PyTuple_CheckExact(model.ptr())) return nb::tuple(values);
  return model.type()(*nb::tuple(values));
}

Output resolve_fetch(GraphObject& graph, nb::handle item) {
  if (item.is_none()) type_error("Fetch argument None has invalid type <class 'NoneType'>");
  try {
    return graph_element(graph, item, true, true);
  } catch (nb::python_error& error) {
    const std::string reason = str_of(error.value());
    if (error.matches(PyExc_TypeError))
      type_error("Fetch argument ", repr_of(item), " has invalid type ", repr_of(item.type()),
                 ", must be a string or Tensor. (", reason, ")");
    if (error.matches(PyExc_ValueError) || error.matches(PyExc_KeyError))
      value_error("Fetch argument ", repr_of(item), " cannot be interpreted as a Tensor. (", reason,
                  ")");
    throw;
  }
}

}  // namespace

Fetches::Fetches(GraphObject& graph, nb::handle structure)
    : graph_(graph), structure_(nb::borrow(structure)) {
  collect(structure_);
}

void Fetches::collect(nb::handle item) {
  if (is_plain_leaf(item)) return collect_leaf(item);
  if (!PyList_CheckExact(item.ptr()) && !PyTuple_CheckExact(item.ptr()) &&
      !PyDict_CheckExact(item.ptr()) && collect_expansion(item))
    return;
  if (is_sequence(item)) {
    for (nb::handle inner : item) collect(inner);
  } else if (is_mapping(item)) {
    for (nb::handle key : item) collect(item[key]);
  } else if (is_attrs_object(item)) {
    collect(attr_values(item));
  } else {
    collect_leaf(item);
  }
}

bool Fetches::collect_expansion(nb::handle item) {
  if (item.is_none()) return false;
  nb::object expansion = package::fetch_expansion(item);
  if (expansion.is_none()) return false;
  const std::size_t first = leaves_.size();
  for (nb::handle part : expansion[0]) collect_leaf(part);
  const std::size_t count = leaves_.size() - first;
  if (count == 0) type_error("a fetch of type ", type_name_of(item), " stands for no tensors");
  expansions_.emplace(first, Expansion{count, nb::object(expansion[1])});
  expanded_.push_back(nb::borrow(item));
  return true;
}

void Fetches::collect_leaf(nb::handle item) {
  const Output output = resolve_fetch(graph_, item);
  if (!output.node->is_fetchable())
    value_error("Operation '", output.node->name(),
                "' has been marked as not fetchable. Typically this happens when it is defined in "
                "another function or code block. Use return values, explicit Python locals or "
                "TensorFlow collections to access it.");
  leaves_.push_back(output);
  if (output.index == kOperation) {
    if (std::ranges::find(operations_, output.node.get()) == operations_.end())
      operations_.push_back(output.node);
  } else if (values_.try_emplace(output).second) {
    tensors_.push_back(output);
  }
}

bool Fetches::is_expanded(nb::handle item) const {
  return std::ranges::any_of(expanded_, [&](const nb::object& o) { return o.is(item); });
}

void Fetches::set_fed(Output output, nb::object value) { values_[output] = std::move(value); }

void Fetches::forget_fed_tensors() {
  std::erase_if(tensors_, [&](const Output& o) { return values_.at(o).is_valid(); });
}

nb::object Fetches::single_value(const Output& leaf) const {
  return leaf.index == kOperation ? nb::none() : values_.at(leaf);
}

nb::object Fetches::leaf_value(std::size_t& next) const {
  const auto expansion = expansions_.find(next);
  if (expansion == expansions_.end()) return single_value(leaves_[next++]);
  nb::list values;
  for (std::size_t i = 0; i < expansion->second.count; ++i)
    values.append(single_value(leaves_[next++]));
  return expansion->second.put_together(values);
}

nb::object Fetches::rebuild(nb::handle item, std::size_t& next) const {
  if (is_plain_leaf(item) || is_expanded(item)) return leaf_value(next);
  if (is_sequence(item)) {
    nb::list values;
    for (nb::handle inner : item) values.append(rebuild(inner, next));
    return sequence_like(item, std::move(values));
  }
  if (is_mapping(item)) {
    nb::object result = PyDict_CheckExact(item.ptr()) ? nb::dict() : item.type()();
    for (nb::handle key : item) result[key] = rebuild(item[key], next);
    return result;
  }
  if (is_attrs_object(item)) {
    nb::object values = rebuild(nb::tuple(attr_values(item)), next);
    return item.type()(*nb::borrow<nb::tuple>(values));
  }
  return leaf_value(next);
}

nb::object Fetches::build(std::vector<nb::object> values) {
  for (std::size_t i = 0; i < tensors_.size(); ++i) values_[tensors_[i]] = std::move(values[i]);
  std::size_t next = 0;
  return rebuild(structure_, next);
}

}  // namespace rill::python
