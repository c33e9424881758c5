#include "rill/base/blocking.h"

namespace rill {
namespace {

HeldLock held_lock;

}  // namespace

void set_held_lock(HeldLock lock) { held_lock = lock; }

Blocking::Blocking() : held_(held_lock.let_go == nullptr ? nullptr : held_lock.let_go()) {}

Blocking::~Blocking() {
  if (held_ != nullptr) held_lock.take_back(held_);
}

}  // namespace rill
