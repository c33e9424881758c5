#include "rill/ops/math/special/bessel.h"

#include "rill/ops/math/rows/double_rows.h"

namespace rill {

extern const OpDecl kBesselI0e, kBesselI1e;

namespace {

constexpr int kBesselCost = 100;

constexpr KernelEntry kEntries[] = {
    unary_entry<find_double_unary<bessel_i0e, kBesselCost>>(&kBesselI0e, kFloatTypes),
    unary_entry<find_double_unary<bessel_i1e, kBesselCost>>(&kBesselI1e, kFloatTypes),
};

}  // namespace

extern const KernelTable kBesselCpu{kEntries};

}  // namespace rill
