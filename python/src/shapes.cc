#include "shapes.h"

#include <nanobind/stl/string.h>

#include "dimensions.h"
#include "errors.h"
#include "plain_values.h"
#include "protos.h"

namespace rill::python {
namespace {

struct ShapeObject {
  PartialShape shape;
};

const PartialShape* stored_shape(nb::handle value) {
  return nb::isinstance<ShapeObject>(value) ? &nb::inst_ptr<ShapeObject>(value)->shape : nullptr;
}

bool is_shape_message(nb::handle value) { return nb::hasattr(value, "unknown_rank"); }

PartialShape from_message(nb::handle message) {
  if (truth_of(message.attr("unknown_rank"))) return {};
  PartialShape shape = PartialShape::scalar();
  for (nb::handle dim : message.attr("dim")) shape.add_dim(integer_of(dim.attr("size")));
  return shape;
}

nb::object dims_list(const PartialShape& shape) {
  if (!shape.has_rank()) return nb::none();
  nb::list list;
  for (const std::int64_t dim : shape.dims()) list.append(dimension_object(dim));
  return list;
}

nb::object shape_as_list(const ShapeObject& self) {
  if (!self.shape.has_rank()) value_error("as_list() is not defined on an unknown TensorShape.");
  return nb::list(shape_tuple(self.shape));
}

PartialShape merged(const PartialShape& a, const PartialShape& b) {
  if (!a.is_compatible(b))
    value_error("Shapes ", shape_text(a), " and ", shape_text(b), " are not compatible");
  return a.merged(b);
}

PartialShape concatenated(PartialShape a, const PartialShape& b) {
  if (!a.has_rank() || !b.has_rank()) return {};
  for (const std::int64_t dim : b.dims()) a.add_dim(dim);
  return a;
}

PartialShape common(const PartialShape& a, const PartialShape& b) {
  if (a.rank() != b.rank() || !a.has_rank()) return {};
  PartialShape result = PartialShape::scalar();
  for (int i = 0; i < a.rank(); ++i) result.add_dim(a[i] == b[i] ? a[i] : kUnknownDim);
  return result;
}

// A range of the dimensions; of an unknown shape only the length can be known.
nb::object sliced(const PartialShape& shape, nb::handle range) {
  nb::object start = range.attr("start"), stop = range.attr("stop");
  if (!shape.has_rank()) {
    if (stop.is_none()) return shape_object({});
    const auto begin = start.is_none() ? 0 : integer_of(start);
    const auto end = integer_of(stop);
    if (begin < 0 || end < begin) return shape_object({});
    return shape_object(PartialShape::of_rank(static_cast<int>(end - begin)));
  }
  return shape_object(as_shape(dims_list(shape)[range]));
}

nb::object shape_item(const ShapeObject& self, nb::handle key) {
  if (PySlice_Check(key.ptr())) return sliced(self.shape, key);
  if (!self.shape.has_rank()) return dimension_object(kUnknownDim);
  return nb::object(dims_list(self.shape)[key]);
}

bool shape_equals(const ShapeObject& self, nb::handle other) {
  if (const PartialShape* shape = stored_shape(other)) return self.shape == *shape;
  try {
    return self.shape == as_shape(other);
  } catch (nb::python_error&) {
    return false;
  }
}

const ShapeObject& check_rank(const ShapeObject& self, bool ok, const char* relation, int rank) {
  if (!ok) value_error("Shape ", shape_text(self.shape), " must have rank ", relation, rank);
  return self;
}

ShapeObject with_rank(const ShapeObject& self, nb::handle rank_object) {
  const auto rank = static_cast<int>(as_dimension(rank_object));
  if (!self.shape.has_rank()) return {PartialShape::of_rank(rank)};
  return check_rank(self, self.shape.rank() == rank, "", rank);
}

void bind_queries(nb::class_<ShapeObject>& c) {
  const auto rank = [](ShapeObject& s) {
    return s.shape.has_rank() ? nb::object(nb::int_(s.shape.rank())) : nb::none();
  };
  c.def_prop_ro("rank", rank);
  c.def_prop_ro("ndims", rank);
  c.def_prop_ro("dims", [](ShapeObject& s) { return dims_list(s.shape); });
  c.def_prop_ro("_dims", [](ShapeObject& s) { return dims_list(s.shape); });
  c.def("as_list", shape_as_list);
  c.def("as_proto", [](ShapeObject& s) { return shape_proto(s.shape); });
  c.def("num_elements", [](ShapeObject& s) {
    return s.shape.is_full() ? nb::object(nb::int_(s.shape.element_count())) : nb::none();
  });
  c.def("is_fully_defined", [](ShapeObject& s) { return s.shape.is_full(); });
  c.def(
      "is_compatible_with",
      [](ShapeObject& s, nb::handle other) { return s.shape.is_compatible(as_shape(other)); },
      nb::arg("other").none());
  c.def("__len__", [](ShapeObject& s) {
    if (!s.shape.has_rank()) value_error("Cannot take the length of shape with unknown rank.");
    return s.shape.rank();
  });
  c.def("__iter__", [](ShapeObject& s) {
    if (!s.shape.has_rank()) value_error("Cannot iterate over a shape with unknown rank.");
    return nb::iter(dims_list(s.shape));
  });
  c.def("__bool__", [](ShapeObject& s) { return s.shape.has_rank(); });
  c.def("__getitem__", shape_item);
  c.def("__eq__", shape_equals, nb::arg().none());
  c.def(
      "__ne__", [](ShapeObject& s, nb::handle o) { return !shape_equals(s, o); }, nb::arg().none());
  c.def("__hash__", [](ShapeObject& s) { return nb::hash(shape_tuple(s.shape)); });
}

void bind_combining(nb::class_<ShapeObject>& c) {
  c.def(
      "merge_with",
      [](ShapeObject& s, nb::handle other) {
        return ShapeObject{merged(s.shape, as_shape(other))};
      },
      nb::arg("other").none());
  const auto concatenate = [](ShapeObject& s, nb::handle other) {
    return ShapeObject{concatenated(s.shape, as_shape(other))};
  };
  c.def("concatenate", concatenate, nb::arg("other").none());
  c.def("__add__", concatenate);
  c.def("__radd__", [](ShapeObject& s, nb::handle other) {
    return ShapeObject{concatenated(as_shape(other), s.shape)};
  });
  c.def(
      "most_specific_compatible_shape",
      [](ShapeObject& s, nb::handle other) {
        return ShapeObject{common(s.shape, as_shape(other))};
      },
      nb::arg("other").none());
  c.def("with_rank", with_rank, nb::arg("rank"));
  c.def(
      "with_rank_at_least",
      [](ShapeObject& s, int rank) {
        return check_rank(s, !s.shape.has_rank() || s.shape.rank() >= rank, "at least ", rank);
      },
      nb::arg("rank"));
  c.def(
      "with_rank_at_most",
      [](ShapeObject& s, int rank) {
        return check_rank(s, !s.shape.has_rank() || s.shape.rank() <= rank, "at most ", rank);
      },
      nb::arg("rank"));
  c.def(
      "assert_has_rank",
      [](ShapeObject& s, int rank) {
        check_rank(s, !s.shape.has_rank() || s.shape.rank() == rank, "", rank);
      },
      nb::arg("rank"));
  c.def(
      "assert_same_rank",
      [](ShapeObject& s, nb::handle other) {
        const PartialShape shape = as_shape(other);
        if (s.shape.has_rank() && shape.has_rank() && s.shape.rank() != shape.rank())
          value_error("Shapes ", shape_text(s.shape), " and ", shape_text(shape),
                      " must have the same rank");
      },
      nb::arg("other").none());
  c.def(
      "assert_is_compatible_with",
      [](ShapeObject& s, nb::handle other) {
        if (!s.shape.is_compatible(as_shape(other)))
          value_error("Shapes ", shape_text(s.shape), " and ", str_of(other), " are incompatible");
      },
      nb::arg("other").none());
  c.def("assert_is_fully_defined", [](ShapeObject& s) {
    if (!s.shape.is_full()) value_error("Shape ", shape_text(s.shape), " is not fully defined");
  });
}

}  // namespace

nb::object shape_object(const PartialShape& shape) { return nb::cast(ShapeObject{shape}); }

bool is_shape(nb::handle value) { return stored_shape(value) != nullptr; }

PartialShape as_shape(nb::handle value) {
  if (value.is_none()) return {};
  if (const PartialShape* shape = stored_shape(value)) return *shape;
  PartialShape result = PartialShape::scalar();
  if (PyLong_Check(value.ptr()) || is_dimension(value)) {
    result.add_dim(as_dimension(value));
    return result;
  }
  if (is_shape_message(value)) return from_message(value);
  if (nb::isinstance<nb::str>(value) || !nb::hasattr(value, "__iter__"))
    type_error("Failed to convert '", repr_of(value), "' to a shape: a shape should either be ",
               "single dimension (e.g. 10), or an iterable of dimensions (e.g. [1, 10, None]).");
  for (nb::handle item : value) result.add_dim(as_dimension(item));
  return result;
}

std::string shape_text(const PartialShape& shape) {
  if (!shape.has_rank()) return "<unknown>";
  std::string text = "(";
  for (int i = 0; i < shape.rank(); ++i) {
    if (i > 0) text += ", ";
    text += shape[i] < 0 ? "?" : std::to_string(shape[i]);
  }
  return text + (shape.rank() == 1 ? ",)" : ")");
}

nb::object shape_tuple(const PartialShape& shape) {
  if (!shape.has_rank()) return nb::none();
  nb::list list;
  for (const std::int64_t dim : shape.dims())
    list.append(dim < 0 ? nb::none() : nb::object(nb::int_(dim)));
  return nb::tuple(list);
}

void bind_shapes(nb::module_& m) {
  bind_dimension(m);
  nb::class_<ShapeObject> c(m, "TensorShape");
  c.def(
      "__init__",
      [](ShapeObject* self, nb::handle dims) { new (self) ShapeObject{as_shape(dims)}; },
      nb::arg("dims").none());
  bind_queries(c);
  bind_combining(c);
  c.def("__str__", [](ShapeObject& s) { return shape_text(s.shape); });
  c.def("__repr__",
        [](ShapeObject& s) { return "TensorShape(" + repr_of(dims_list(s.shape)) + ")"; });
  c.def("__reduce__", [m](ShapeObject& s) {
    return nb::make_tuple(m.attr("TensorShape"), nb::make_tuple(shape_tuple(s.shape)));
  });
  m.def(
      "dimension_at_index", [](ShapeObject& s, nb::handle index) { return shape_item(s, index); },
      nb::arg("shape"), nb::arg("index"));
  m.def(
      "as_shape", [](nb::handle value) { return shape_object(as_shape(value)); },
      nb::arg("shape").none());
}

}  // namespace rill::python
