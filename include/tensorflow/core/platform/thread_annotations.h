#ifndef TENSORFLOW_CORE_PLATFORM_THREAD_ANNOTATIONS_H_
#define TENSORFLOW_CORE_PLATFORM_THREAD_ANNOTATIONS_H_

// Only clang checks these; for everyone else they are remarks.
#if defined(__clang__)
#define RILL_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define RILL_THREAD_ANNOTATION(x)
#endif

#ifndef GUARDED_BY  // Abseil's headers define all of these as well
#define GUARDED_BY(x) RILL_THREAD_ANNOTATION(guarded_by(x))
#define PT_GUARDED_BY(x) RILL_THREAD_ANNOTATION(pt_guarded_by(x))
#define ACQUIRED_AFTER(...) RILL_THREAD_ANNOTATION(acquired_after(__VA_ARGS__))
#define ACQUIRED_BEFORE(...) RILL_THREAD_ANNOTATION(acquired_before(__VA_ARGS__))
#define EXCLUSIVE_LOCKS_REQUIRED(...) RILL_THREAD_ANNOTATION(exclusive_locks_required(__VA_ARGS__))
#define SHARED_LOCKS_REQUIRED(...) RILL_THREAD_ANNOTATION(shared_locks_required(__VA_ARGS__))
#define LOCKS_EXCLUDED(...) RILL_THREAD_ANNOTATION(locks_excluded(__VA_ARGS__))
#define LOCK_RETURNED(x) RILL_THREAD_ANNOTATION(lock_returned(x))
#define LOCKABLE RILL_THREAD_ANNOTATION(lockable)
#define SCOPED_LOCKABLE RILL_THREAD_ANNOTATION(scoped_lockable)
#define EXCLUSIVE_LOCK_FUNCTION(...) RILL_THREAD_ANNOTATION(exclusive_lock_function(__VA_ARGS__))
#define SHARED_LOCK_FUNCTION(...) RILL_THREAD_ANNOTATION(shared_lock_function(__VA_ARGS__))
#define EXCLUSIVE_TRYLOCK_FUNCTION(...) \
  RILL_THREAD_ANNOTATION(exclusive_trylock_function(__VA_ARGS__))
#define UNLOCK_FUNCTION(...) RILL_THREAD_ANNOTATION(unlock_function(__VA_ARGS__))
#define NO_THREAD_SAFETY_ANALYSIS RILL_THREAD_ANNOTATION(no_thread_safety_analysis)
#endif

#define TF_GUARDED_BY(x) GUARDED_BY(x)
#define TF_EXCLUSIVE_LOCKS_REQUIRED(...) EXCLUSIVE_LOCKS_REQUIRED(__VA_ARGS__)
#define TF_LOCKS_EXCLUDED(...) LOCKS_EXCLUDED(__VA_ARGS__)

#endif
