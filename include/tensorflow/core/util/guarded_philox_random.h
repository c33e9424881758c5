#ifndef TENSORFLOW_CORE_UTIL_GUARDED_PHILOX_RANDOM_H_
#define TENSORFLOW_CORE_UTIL_GUARDED_PHILOX_RANDOM_H_

#include "tensorflow/core/framework/op_kernel.h"
#include "tensorflow/core/lib/random/philox_random.h"
#include "tensorflow/core/lib/random/random.h"
#include "tensorflow/core/platform/mutex.h"

namespace tensorflow {

// A generator that several calls of a kernel share: each takes its numbers beforehand.
class GuardedPhiloxRandom {
 public:
  GuardedPhiloxRandom() {}

  // From the attributes seed and seed2; where both are 0, from chance.
  Status Init(OpKernelConstruction* context) {
    int64 seed = 0, seed2 = 0;
    Status status = context->GetAttr("seed", &seed);
    if (status.ok()) status = context->GetAttr("seed2", &seed2);
    if (status.ok()) Init(seed, seed2);
    return status;
  }
  void Init(int64 seed, int64 seed2) {
    if (seed == 0 && seed2 == 0) {
      seed = static_cast<int64>(random::New64());
      seed2 = static_cast<int64>(random::New64());
    }
    mutex_lock lock(mu_);
    generator_ = random::PhiloxRandom(static_cast<uint64>(seed), static_cast<uint64>(seed2));
  }
  void Init(random::PhiloxRandom::ResultType counter, random::PhiloxRandom::Key key) {
    mutex_lock lock(mu_);
    generator_ = random::PhiloxRandom(counter, key);
  }

  // A copy that may make so many groups of four numbers; the next one begins behind them.
  random::PhiloxRandom ReserveSamples128(int64 samples) {
    mutex_lock lock(mu_);
    const random::PhiloxRandom reserved = generator_;
    generator_.Skip(static_cast<uint64>(samples));
    return reserved;
  }
  random::PhiloxRandom ReserveSamples32(int64 samples) {
    return ReserveSamples128((samples + 3) / 4);
  }
  // Enough for `multiplier` numbers for each output, and some more, as TensorFlow's ops take.
  random::PhiloxRandom ReserveRandomOutputs(int64 output_count, int multiplier) {
    return ReserveSamples128(output_count * multiplier);
  }

 private:
  mutex mu_;
  random::PhiloxRandom generator_;
};

}  // namespace tensorflow

#endif
