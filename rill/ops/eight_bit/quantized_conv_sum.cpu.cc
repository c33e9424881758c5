#include "rill/ops/eight_bit/conv_with.h"

namespace rill {

extern const OpDecl kQuantizedConv2DWithBiasSumAndRelu,
    kQuantizedConv2DWithBiasSumAndReluAndRequantize,
    kQuantizedConv2DWithBiasSignedSumAndReluAndRequantize;

namespace {

constexpr KernelEntry kEntries[] = {
    conv_with_entry<true>(kQuantizedConv2DWithBiasSumAndRelu),
    conv_with_entry<true>(kQuantizedConv2DWithBiasSumAndReluAndRequantize),
    conv_with_entry<true>(kQuantizedConv2DWithBiasSignedSumAndReluAndRequantize),
};

}  // namespace

extern const KernelTable kQuantizedConvSumCpu{kEntries};

}  // namespace rill
