#include <cstring>

#include "rill/base/farmhash.h"
#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/strided_copy.h"

namespace rill {

extern const OpDecl kFingerprint;

namespace {

// A row of one string is that string; a row of several is the list of their fingerprints.
std::uint64_t hash_strings(const std::string* row, std::int64_t size) {
  if (size == 1) return farmhash64(*row);
  std::string all;
  for (std::int64_t i = 0; i < size; ++i) {
    const std::uint64_t hash = farmhash64(row[i]);
    all.append(reinterpret_cast<const char*>(&hash), sizeof hash);
  }
  return farmhash64(all);
}

void fingerprint(KernelCall& call) {
  const Tensor& data = call.input_tensor(0);
  require(is_trivial(data.dtype()) || data.dtype() == DType::string,
          "Fingerprint cannot see the bytes of elements of type ", data.dtype());
  const auto out = call.output<std::uint8_t>(0);
  if (out.empty()) return;
  const std::int64_t size = data.element_count() / data.dim(0);
  const std::size_t bytes = static_cast<std::size_t>(size) * element_size(data.dtype());
  call.parallel_for(static_cast<std::size_t>(data.dim(0)), 20 + static_cast<double>(bytes) * 0.2,
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t i = begin; i < end; ++i) {
                        const auto at = static_cast<std::int64_t>(i) * size;
                        const std::uint64_t hash =
                            data.dtype() == DType::string
                                ? hash_strings(data.data<std::string>() + at, size)
                                : farmhash64({bytes == 0 ? "" : element_at(data, at), bytes});
                        std::memcpy(&out[8 * i], &hash, sizeof hash);
                      }
                    });
}

constexpr KernelEntry kEntries[] = {{.op = &kFingerprint, .run = fingerprint}};

}  // namespace

extern const KernelTable kFingerprintCpu{kEntries};

}  // namespace rill
