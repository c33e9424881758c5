#pragma once

namespace rill::net {

// Called by who is about to compute or wait for longer than a moment on a thread that brought a
// request: answers that the thread gathered to send together go out, and another thread takes its
// place at the sockets. Does nothing on other threads.
void before_long_work();

// While there is one, this thread does long work: answers that it gives meanwhile, for others say,
// go out at once.
class LongWork {
 public:
  LongWork();
  ~LongWork();
  LongWork(const LongWork&) = delete;
  LongWork& operator=(const LongWork&) = delete;
  static bool is_here();  // on this thread
};

// What before_long_work() does on this thread; set by those whose thread it is.
struct LongWorkHooks {
  void (*send)(void*) = nullptr;  // what was gathered
  void* sender = nullptr;
  void (*step_aside)(void*) = nullptr;
  void* stepper = nullptr;
};
LongWorkHooks& long_work_hooks();

}  // namespace rill::net
