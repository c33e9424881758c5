#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "call.h"
#include "errors.h"
#include "inputs.h"
#include "kept.h"
#include "rill/api/layers/layer.h"
#include "shapes.h"
#include "variables.h"

namespace rill::python {

// What C++ knows of the Python object of a layer: which functions its class overrides.
class LayerSide {
 public:
  explicit LayerSide(PyObject* self) : self_(self) {}
  virtual ~LayerSide() = default;

  nb::handle self() const { return self_; }
  // The method of that name where the class of the object has one of its own, not C++'s.
  nb::object overridden(const char* name) const;
  // Whether its class leaves calls and masks to C++.
  bool is_plain();
  // The attributes are read again before the layer is called. Once keep_settings() was called that
  // is said to it by whoever changes them; before, they are read every time.
  void keep_settings() { keeps_settings_ = true; }
  void settings_changed() { is_read_ = false; }

  // A call with all that belongs to it, without Python's part of it.
  virtual std::vector<Output> run_here(const std::vector<Output>& inputs) = 0;
  // The layer's own form of what Python may override.
  virtual void own_build(const std::vector<PartialShape>& inputs) = 0;
  virtual std::vector<Output> own_call(const std::vector<Output>& inputs,
                                       const layers::CallArguments& arguments) = 0;
  virtual void own_check() = 0;
  virtual PartialShape own_output_shape(const PartialShape& input) = 0;
  virtual std::vector<Output> own_masks(const std::vector<Output>& inputs,
                                        const std::vector<Output>& masks) = 0;

  // What the overriding methods return.
  std::vector<Output> run_in_python(const std::vector<Output>& inputs,
                                    const layers::CallArguments& arguments) const;
  void build_in_python(const nb::object& method, const std::vector<PartialShape>& inputs) const;
  std::vector<Output> call_in_python(const nb::object& method, const std::vector<Output>& inputs,
                                     const layers::CallArguments& arguments) const;
  std::vector<Output> masks_in_python(const nb::object& method, const std::vector<Output>& inputs,
                                      const std::vector<Output>& masks) const;

 protected:
  // Whether the attributes have to be read now; they count as read afterwards.
  bool must_read() { return !std::exchange(is_read_, keeps_settings_); }

 private:
  PyObject* self_;  // borrowed: it owns the layer through its core
  bool keeps_settings_ = false, is_read_ = false;
  unsigned plain_version_ = 0;  // of the class, when it was asked; 0: it was not
  bool is_plain_ = false;
};

// The layer `Base` of an object of Python: its functions ask Python first. `read_settings` brings
// what the attributes of the object say into the layer, before it is built and called.
template <class Base>
class PythonLayer final : public Base, public LayerSide {
 public:
  using ReadSettings = void (*)(nb::handle self, Base& layer);

  template <class... Args>
  PythonLayer(PyObject* self, ReadSettings read_settings, Args&&... args)
      : Base(std::forward<Args>(args)...), LayerSide(self), read_settings_(read_settings) {}

  std::shared_ptr<void> owner() override { return keep(self()); }
  std::vector<Output> run(const std::vector<Output>& inputs, const layers::CallArguments& arguments,
                          std::source_location) override {
    return run_in_python(inputs, arguments);
  }
  std::vector<Output> run_here(const std::vector<Output>& inputs) override {
    return Base::run(inputs, {}, std::source_location::current());
  }
  void build_all(const std::vector<PartialShape>& inputs) override {
    if (const nb::object method = overridden("build"); method.is_valid())
      return build_in_python(method, inputs);
    own_build(inputs);
  }
  std::vector<Output> call_all(const std::vector<Output>& inputs,
                               const layers::CallArguments& arguments) override {
    if (is_plain()) return own_call(inputs, arguments);
    if (const nb::object method = overridden("call"); method.is_valid())
      return call_in_python(method, inputs, arguments);
    return own_call(inputs, arguments);
  }
  PartialShape compute_output_shape(const PartialShape& input) const override {
    if (const nb::object method = overridden("compute_output_shape"); method.is_valid())
      return as_shape(method(shape_object(input)));
    return const_cast<PythonLayer*>(this)->own_output_shape(input);
  }
  std::vector<Output> compute_masks(const std::vector<Output>& inputs,
                                    const std::vector<Output>& masks) override {
    if (is_plain()) return own_masks(inputs, masks);
    if (const nb::object method = overridden("compute_mask"); method.is_valid())
      return masks_in_python(method, inputs, masks);
    return own_masks(inputs, masks);
  }

  void own_build(const std::vector<PartialShape>& inputs) override {
    read();
    Base::build_all(inputs);
  }
  std::vector<Output> own_call(const std::vector<Output>& inputs,
                               const layers::CallArguments& arguments) override {
    read();
    return Base::call_all(inputs, arguments);
  }
  void own_check() override {
    read();
    Base::check_settings();
  }
  PartialShape own_output_shape(const PartialShape& input) override {
    read();
    return Base::compute_output_shape(input);
  }
  std::vector<Output> own_masks(const std::vector<Output>& inputs,
                                const std::vector<Output>& masks) override {
    return Base::compute_masks(inputs, masks);
  }

 private:
  void read() {
    if (read_settings_ != nullptr && must_read()) read_settings_(self(), *this);
  }

  ReadSettings read_settings_;
};

struct MadeLayer {
  std::shared_ptr<layers::Layer> layer;
  LayerSide* side = nullptr;  // the same object
};

// What Python's Layer holds: a plain class of Python, so that programs can inherit from several.
struct LayerObject : MadeLayer {
  std::vector<nb::object> graphs;  // of what the layer made
};

// Kinds of layers that C++ has, by the names that Python's classes give as `_kind`.
using MakeLayer = MadeLayer (*)(nb::handle self, const std::string& class_name,
                                layers::LayerOptions options);
void add_layer_kind(const std::string& kind, MakeLayer make);

// Makes a MakeLayer for a class whose constructor takes (class_name, options).
template <class Base, void (*read_settings)(nb::handle self, Base& layer) = nullptr>
MadeLayer make_layer(nb::handle self, const std::string& class_name, layers::LayerOptions options) {
  auto made = std::make_shared<PythonLayer<Base>>(self.ptr(), read_settings, class_name,
                                                  std::move(options));
  return {made, made.get()};
}

std::shared_ptr<layers::Layer> layer_of(nb::handle object);  // raises TypeError when it is none

// Tensors, and variables by what was read of them, of a list; other things are left out.
std::vector<Output> outputs_of(nb::handle list);
std::vector<Output> optional_outputs_of(nb::handle list);  // None is an empty Output
Output tensor_of(nb::handle value, std::string_view name = "x");
nb::object one_or_list(const std::vector<Output>& outputs);
std::function<Output(Output)> function_of(nb::handle callable);  // None: none

// For the garbage collector: the layers that a graph keeps.
int visit_layers(Graph& graph, visitproc visit, void* arg);

void bind_layers(nb::module_& m);
void bind_layer_calls(nb::module_& m);
void bind_layer_kinds(nb::module_& m);
void bind_contrib_layers(nb::module_& m);
void bind_contrib_regularizers(nb::module_& m);
void bind_slim_nets(nb::module_& m);
void bind_examples(nb::module_& m);

}  // namespace rill::python
