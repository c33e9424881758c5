#include "rill/kernel/variable.h"

namespace rill {

bool VariableResource::initialized() const {
  std::lock_guard lock(mutex_);
  return value_.has_value();
}

Tensor VariableResource::read() const {
  std::lock_guard lock(mutex_);
  return value_;
}

void VariableResource::assign(Tensor value) {
  std::lock_guard lock(mutex_);
  std::swap(value_, value);  // the old storage is freed outside the lock
}

void VariableResource::update(FunctionRef<void(Tensor&)> change) {
  std::lock_guard lock(mutex_);
  if (!value_.has_value())
    raise(Code::kFailedPrecondition, "Attempting to use uninitialized value ", name_);
  if (!value_.is_exclusive()) value_ = value_.clone();
  change(value_);
}

void VariableResource::access(FunctionRef<void(Tensor&)> change) {
  std::lock_guard lock(mutex_);
  change(value_);
}

std::string VariableResource::describe() const {
  std::lock_guard lock(mutex_);
  return value_.has_value() ? str_cat("variable ", name_, ", ", dtype_, value_.shape())
                            : str_cat("variable ", name_, ", ", dtype_, ", uninitialized");
}

std::int64_t VariableResource::memory_bytes() const {
  std::lock_guard lock(mutex_);
  return value_.has_value() ? static_cast<std::int64_t>(value_.byte_size()) : 0;
}

}  // namespace rill
