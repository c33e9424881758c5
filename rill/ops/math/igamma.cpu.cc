#include "rill/ops/math/double_rows.h"
#include "rill/ops/math/incomplete_gamma.h"

namespace rill {

extern const OpDecl kIgamma, kIgammac, kIgammaGradA;

namespace {

constexpr TypeSet kTypes = DType::f32 | DType::f64;
constexpr int kCost = 200;

constexpr KernelEntry kEntries[] = {
    binary_entry<find_double_binary<igamma, kCost>>(&kIgamma, kTypes),
    binary_entry<find_double_binary<igammac, kCost>>(&kIgammac, kTypes),
    binary_entry<find_double_binary<igamma_grad_a, 2 * kCost>>(&kIgammaGradA, kTypes),
};

}  // namespace

extern const KernelTable kIgammaCpu{kEntries};

}  // namespace rill
