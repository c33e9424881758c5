#include "rill/ops/eight_bit/conv_with.h"

namespace rill {

extern const OpDecl kQuantizedDepthwiseConv2D, kQuantizedDepthwiseConv2DWithBias,
    kQuantizedDepthwiseConv2DWithBiasAndRelu, kQuantizedDepthwiseConv2DWithBiasAndReluAndRequantize;

namespace {

constexpr KernelEntry kEntries[] = {
    conv_with_entry<false, true>(kQuantizedDepthwiseConv2D),
    conv_with_entry<false, true>(kQuantizedDepthwiseConv2DWithBias),
    conv_with_entry<true, true>(kQuantizedDepthwiseConv2DWithBiasAndRelu),
    conv_with_entry<true, true>(kQuantizedDepthwiseConv2DWithBiasAndReluAndRequantize),
};

}  // namespace

extern const KernelTable kQuantizedDepthwiseCpu{kEntries};

}  // namespace rill
