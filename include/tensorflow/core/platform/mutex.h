#ifndef TENSORFLOW_CORE_PLATFORM_MUTEX_H_
#define TENSORFLOW_CORE_PLATFORM_MUTEX_H_

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "tensorflow/core/platform/macros.h"
#include "tensorflow/core/platform/thread_annotations.h"
#include "tensorflow/core/platform/types.h"

namespace tensorflow {

enum LinkerInitialized { LINKER_INITIALIZED };
enum ConditionResult { kCond_Timeout, kCond_MaybeNotified };

// Shared locks are taken as exclusive ones: right, and for the short sections that kernels have,
// quicker than counting readers.
class LOCKABLE mutex {
 public:
  mutex() {}
  explicit mutex(LinkerInitialized) {}
  void lock() EXCLUSIVE_LOCK_FUNCTION() { mu_.lock(); }
  bool try_lock() EXCLUSIVE_TRYLOCK_FUNCTION(true) { return mu_.try_lock(); }
  void unlock() UNLOCK_FUNCTION() { mu_.unlock(); }
  void lock_shared() SHARED_LOCK_FUNCTION() { mu_.lock(); }
  bool try_lock_shared() { return mu_.try_lock(); }
  void unlock_shared() UNLOCK_FUNCTION() { mu_.unlock(); }

 private:
  friend class condition_variable;
  std::mutex mu_;
  TF_DISALLOW_COPY_AND_ASSIGN(mutex);
};

class SCOPED_LOCKABLE mutex_lock {
 public:
  typedef ::tensorflow::mutex mutex_type;
  explicit mutex_lock(mutex_type& mu) EXCLUSIVE_LOCK_FUNCTION(mu) : mu_(&mu) { mu_->lock(); }
  mutex_lock(mutex_type& mu, std::try_to_lock_t) EXCLUSIVE_LOCK_FUNCTION(mu) : mu_(&mu) {
    if (!mu.try_lock()) mu_ = nullptr;
  }
  mutex_lock(mutex_lock&& other) noexcept : mu_(other.mu_) { other.mu_ = nullptr; }
  ~mutex_lock() UNLOCK_FUNCTION() {
    if (mu_ != nullptr) mu_->unlock();
  }
  mutex_type* mutex() { return mu_; }
  void lock() { mu_->lock(); }
  void unlock() { mu_->unlock(); }
  explicit operator bool() const { return mu_ != nullptr; }

 private:
  mutex_type* mu_;
  TF_DISALLOW_COPY_AND_ASSIGN(mutex_lock);
};

class SCOPED_LOCKABLE tf_shared_lock {
 public:
  explicit tf_shared_lock(mutex& mu) SHARED_LOCK_FUNCTION(mu) : mu_(&mu) { mu_->lock_shared(); }
  ~tf_shared_lock() UNLOCK_FUNCTION() { mu_->unlock_shared(); }

 private:
  mutex* mu_;
  TF_DISALLOW_COPY_AND_ASSIGN(tf_shared_lock);
};

class condition_variable {
 public:
  condition_variable() {}
  void wait(mutex_lock& lock) {
    Held held(lock);
    cv_.wait(held.lock);
  }
  template <class Predicate>
  void wait(mutex_lock& lock, Predicate done) {
    while (!done()) wait(lock);
  }
  template <class Rep, class Period>
  std::cv_status wait_for(mutex_lock& lock, std::chrono::duration<Rep, Period> time) {
    Held held(lock);
    return cv_.wait_for(held.lock, time);
  }
  void notify_one() { cv_.notify_one(); }
  void notify_all() { cv_.notify_all(); }

 private:
  // Lends the lock that the caller holds to the standard library and takes it back.
  struct Held {
    explicit Held(mutex_lock& l) : lock(l.mutex()->mu_, std::adopt_lock) {}
    ~Held() { lock.release(); }
    std::unique_lock<std::mutex> lock;
  };
  std::condition_variable cv_;
  TF_DISALLOW_COPY_AND_ASSIGN(condition_variable);
};

inline ConditionResult WaitForMilliseconds(mutex_lock* mu, condition_variable* cv, int64 ms) {
  const std::cv_status status = cv->wait_for(*mu, std::chrono::milliseconds(ms));
  return status == std::cv_status::timeout ? kCond_Timeout : kCond_MaybeNotified;
}

}  // namespace tensorflow

// `mutex_lock(mu);` would lock nothing: it declares a variable.
#define mutex_lock(x) static_assert(0, "mutex_lock_declaration_missing_var_name");

#endif
