#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "objects.h"
#include "rill/api/train/optimizer.h"

namespace rill::python {

// What C++ knows of the Python object of an optimizer: which functions its class overrides.
class PythonSide {
 public:
  explicit PythonSide(PyObject* self) : self_(self) {}
  virtual ~PythonSide() = default;

  nb::handle self() const { return self_; }
  // The method of that name where the class of the object has one of its own.
  nb::object overridden(const char* name);
  // The next call of the virtual function of that name is not handed to Python: it came from there.
  void skip_next(const char* name) { skipped_ = name; }

  // Tensors that subclasses in Python read and set as attributes.
  std::vector<std::pair<std::string, train::Hyper*>> tensors;
  void read_tensors();  // those that a prepare() in Python has set

 private:
  PyObject* self_;  // borrowed: it owns the optimizer through its core
  const char* skipped_ = nullptr;
};

// What Python's Optimizer holds: a plain class of Python, so that programs can inherit from
// several.
struct OptimizerObject {
  std::shared_ptr<train::Optimizer> optimizer;
  PythonSide* side = nullptr;           // the same object
  std::vector<nb::object> graphs = {};  // in which it has variables
};

nb::object give(const std::vector<train::GradientAndVariable>& items);
std::vector<train::GradientAndVariable> grads_and_vars_of(nb::handle list);
std::vector<Variable> variables_of(nb::handle list);  // nested lists flattened

// The optimizer called `kind` for the object `self`, whose attributes say how it is set up; "" is
// one that Python defines entirely.
void make_optimizer(nb::handle self, OptimizerObject& object, const std::string& kind,
                    bool use_locking, const std::string& name);

void bind_optimizers(nb::module_& m);
void bind_moving_averages(nb::module_& m);

}  // namespace rill::python
