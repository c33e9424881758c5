#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kStringToHashBucket{
    .name = "StringToHashBucket",
    .doc =
        "The bucket of each string: its hash modulo num_buckets. New programs take "
        "StringToHashBucketFast.",
    .inputs = {"string_tensor: string"},
    .outputs = {"output: int64"},
    .attrs = {"num_buckets: int >= 1"},
    .traits = kPure,
    .shape = same_as_input,
    .grad = not_differentiable,
};
static_assert(well_formed(kStringToHashBucket));

extern constexpr OpDecl kStringToHashBucketFast{
    .name = "StringToHashBucketFast",
    .doc = "The bucket of each string: its FarmHash fingerprint modulo num_buckets.",
    .inputs = {"input: string"},
    .outputs = {"output: int64"},
    .attrs = {"num_buckets: int >= 1"},
    .traits = kPure,
    .shape = same_as_input,
    .grad = not_differentiable,
};
static_assert(well_formed(kStringToHashBucketFast));

extern constexpr OpDecl kStringToHashBucketStrong{
    .name = "StringToHashBucketStrong",
    .doc =
        "The bucket of each string: its SipHash with the two numbers of `key`, modulo "
        "num_buckets. Who does not know the key cannot fill one bucket on purpose.",
    .inputs = {"input: string"},
    .outputs = {"output: int64"},
    .attrs = {"num_buckets: int >= 1", "key: list(int)"},
    .traits = kPure,
    .shape = same_as_input,
    .grad = not_differentiable,
};
static_assert(well_formed(kStringToHashBucketStrong));

}  // namespace rill
