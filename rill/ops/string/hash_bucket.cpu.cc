#include "rill/base/farmhash.h"
#include "rill/base/hash64.h"
#include "rill/base/keyed_hash.h"
#include "rill/ops/string/map_strings.h"

namespace rill {

extern const OpDecl kStringToHashBucket, kStringToHashBucketFast, kStringToHashBucketStrong;

namespace {

template <class Hash>
void to_buckets(KernelCall& call, double byte_cost, Hash hash) {
  const auto buckets = static_cast<std::uint64_t>(call.node().attr<std::int64_t>("num_buckets"));
  map_strings<std::int64_t>(call, 10, byte_cost, [&](const std::string& text, std::int64_t& out) {
    out = static_cast<std::int64_t>(hash(text) % buckets);
  });
}

void run_old(KernelCall& call) {
  to_buckets(call, 0.4, [](const std::string& text) { return hash64(text); });
}

void run_fast(KernelCall& call) {
  to_buckets(call, 0.2, [](const std::string& text) { return farmhash64(text); });
}

void run_strong(KernelCall& call) {
  const auto& key = call.node().attr<std::vector<std::int64_t>>("key");
  require(key.size() == 2, "Key must have 2 elements, got ", key.size());
  const SipKey sip_key{static_cast<std::uint64_t>(key[0]), static_cast<std::uint64_t>(key[1])};
  to_buckets(call, 1, [=](const std::string& text) { return siphash(text, sip_key); });
}

constexpr KernelEntry kEntries[] = {{.op = &kStringToHashBucket, .run = run_old},
                                    {.op = &kStringToHashBucketFast, .run = run_fast},
                                    {.op = &kStringToHashBucketStrong, .run = run_strong}};

}  // namespace

extern const KernelTable kHashBucketCpu{kEntries};

}  // namespace rill
