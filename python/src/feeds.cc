#include "feeds.h"

#include "errors.h"
#include "fetches.h"
#include "numpy.h"
#include "package.h"
#include "shapes.h"

namespace rill::python {
namespace {

Output resolve_key(GraphObject& graph, nb::handle key) {
  if (is_tensor(key) && tensor_object(key).graph == &graph) return tensor_object(key).output;
  try {
    return graph_element(graph, key, true, false);
  } catch (nb::python_error& error) {
    // Not str(error): KeyError would quote its text.
    type_error("Cannot interpret feed_dict key as Tensor: ",
               str_of(nb::object(error.value().attr("args")[0])));
  }
}

void add_pair(GraphObject& graph, nb::handle key, nb::handle value, std::vector<FedValue>* pairs) {
  if (!is_tensor(key) && !PyTuple_CheckExact(key.ptr()) && !PyUnicode_Check(key.ptr())) {
    nb::object parts = package::feed_expansion(key, value);
    if (!parts.is_none()) {
      for (nb::handle part : parts) add_pair(graph, part[0], part[1], pairs);
      return;
    }
  }
  if (!PyTuple_Check(key.ptr())) {
    const Output target = resolve_key(graph, key);
    if (!target.node->is_feedable()) value_error("Tensor ", target.name(), " may not be fed.");
    pairs->push_back({target, nb::borrow(value)});
    return;
  }
  if (!PySequence_Check(value.ptr()) || nb::len(key) != nb::len(value))
    value_error("Could not flatten dictionary. Key had ", nb::len(key), " elements, but value is ",
                repr_of(value));
  for (std::size_t i = 0; i < nb::len(key); ++i) add_pair(graph, key[i], value[i], pairs);
}

}  // namespace

std::vector<FedValue> feed_pairs(GraphObject& graph, nb::handle feed_dict) {
  std::vector<FedValue> pairs;
  if (feed_dict.is_none()) return pairs;
  if (PyDict_Check(feed_dict.ptr())) {
    for (const auto& [key, value] : nb::borrow<nb::dict>(feed_dict))
      add_pair(graph, key, value, &pairs);
    return pairs;
  }
  if (!nb::hasattr(feed_dict, "keys"))
    type_error(
        "FlattenDictItems: 'dict' must be a dictionary or collection.Mapping type object, "
        "instead of '",
        type_name_of(feed_dict), "'.");
  for (nb::handle key : feed_dict) add_pair(graph, key, feed_dict[key], &pairs);
  return pairs;
}

Tensor feed_value(Output target, nb::handle value) {
  if (is_tensor(value))
    type_error(
        "The value of a feed cannot be a tf.Tensor object. Acceptable feed values include "
        "Python scalars, strings, lists, numpy ndarrays, or TensorHandles. For reference, "
        "the tensor object was ",
        str_of(value), " which was passed to the feed with key ", tensor_text(target), ".");
  Tensor tensor = tensor_from_feed(value, target.dtype());
  if (!target.shape().accepts(tensor.shape()))
    value_error("Cannot feed value of shape ", shape_text(tensor.shape()), " for Tensor '",
                target.name(), "', which has shape '", shape_text(target.shape()), "'");
  return tensor;
}

}  // namespace rill::python
