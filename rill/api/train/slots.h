#pragma once

#include <string>

#include "rill/api/variables/initializer.h"
#include "rill/api/variables/variable.h"

namespace rill::train {

struct SlotOptions {
  bool colocate_with_primary = true;
};

// Variables that belong to another one, called <primary>/<name>: same kind (reference or resource),
// not trained, and a slice where the primary is a slice.

Variable create_slot(const Variable& primary, const Input& value, const std::string& name,
                     const SlotOptions& options = {});
Variable create_slot_with_initializer(const Variable& primary, const Initializer& initializer,
                                      const PartialShape& shape, DType dtype,
                                      const std::string& name, const SlotOptions& options = {});
// dtype invalid: the primary's. Where the primary's shape is not known, it is found when the slot
// is initialized.
Variable create_zeros_slot(const Variable& primary, const std::string& name,
                           DType dtype = DType::invalid, const SlotOptions& options = {});

// The same beside a tensor: a reference or resource as variables are by default.
Variable create_slot(Output primary, const Input& value, const std::string& name,
                     const SlotOptions& options = {});
Variable create_zeros_slot(Output primary, const std::string& name, DType dtype = DType::invalid,
                           const SlotOptions& options = {});

}  // namespace rill::train
