#pragma once

namespace rill {

// What a thread may hold that others need while it waits: the lock of an interpreter.
struct HeldLock {
  void* (*let_go)() = nullptr;  // null where the thread does not hold it
  void (*take_back)(void* held) = nullptr;
};
void set_held_lock(HeldLock lock);  // once, before threads are started

// Around what may wait for other threads: a step, a join, a pause.
class Blocking {
 public:
  Blocking();
  ~Blocking();
  Blocking(const Blocking&) = delete;
  Blocking& operator=(const Blocking&) = delete;

 private:
  void* held_;
};

}  // namespace rill
