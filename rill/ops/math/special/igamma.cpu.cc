#include "rill/ops/math/rows/double_rows.h"
#include "rill/ops/math/special/incomplete_gamma.h"

namespace rill {

extern const OpDecl kIgamma, kIgammac, kIgammaGradA;

namespace {

constexpr int kIgammaCost = 200;

constexpr KernelEntry kEntries[] = {
    binary_entry<find_double_binary<igamma, kIgammaCost>>(&kIgamma, kDoubleRowTypes),
    binary_entry<find_double_binary<igammac, kIgammaCost>>(&kIgammac, kDoubleRowTypes),
    binary_entry<find_double_binary<igamma_grad_a, 2 * kIgammaCost>>(&kIgammaGradA,
                                                                     kDoubleRowTypes),
};

}  // namespace

extern const KernelTable kIgammaCpu{kEntries};

}  // namespace rill
