#ifndef TENSORFLOW_CORE_PLATFORM_EIGEN_ASSERT_H_
#define TENSORFLOW_CORE_PLATFORM_EIGEN_ASSERT_H_

// Comes before every include of Eigen: what Eigen asserts becomes an exception, which fails the
// step of the kernel at fault instead of ending the process.
namespace tensorflow {
namespace internal {
[[noreturn]] void EigenAssertFailed(const char* condition, const char* file, int line);
}  // namespace internal
}  // namespace tensorflow

#ifdef RILL_CHECKED
#define EIGEN_INTERNAL_DEBUGGING
#endif
#ifndef eigen_assert
#define eigen_assert(x) \
  ((x) ? (void)0 : ::tensorflow::internal::EigenAssertFailed(#x, __FILE__, __LINE__))
#endif

#endif
