#ifndef TENSORFLOW_SERVING_CORE_LOADER_HARNESS_H_
#define TENSORFLOW_SERVING_CORE_LOADER_HARNESS_H_

namespace tensorflow {
namespace serving {

// The steps in the life of a version, as policies see them.
class LoaderHarness {
 public:
  enum class State {
    kNew = 0,
    kLoadRequested,
    kLoadApproved,
    kLoading,
    kReady,
    kUnloadRequested,
    kQuiescing,
    kQuiesced,
    kUnloading,
    kDisabled,
    kError,
  };
};

}  // namespace serving
}  // namespace tensorflow

#endif
