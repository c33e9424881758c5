#ifndef TENSORFLOW_CORE_PLATFORM_FINGERPRINT_H_
#define TENSORFLOW_CORE_PLATFORM_FINGERPRINT_H_

#include "tensorflow/core/lib/core/stringpiece.h"
#include "tensorflow/core/platform/types.h"

namespace tensorflow {

// FarmHash's fingerprint, which never changes.
uint64 Fingerprint64(StringPiece s);

// One number of two, in which their order counts.
inline uint64 FingerprintCat64(const uint64 fp1, const uint64 fp2) {
  const uint64 multiplier = 0xc6a4a7935bd1e995ull;
  uint64 result = fp1 ^ multiplier;
  const uint64 mixed = fp2 * multiplier;
  result ^= (mixed ^ mixed >> 47) * multiplier;
  result *= multiplier;
  result = (result ^ result >> 47) * multiplier;
  return result ^ result >> 47;
}

}  // namespace tensorflow

#endif
