#include "rill/ops/eight_bit/conv_with.h"

namespace rill {

extern const OpDecl kQuantizedConv2D, kQuantizedConv2DPerChannel, kQuantizedConv2DAndRelu,
    kQuantizedConv2DAndRequantize, kQuantizedConv2DAndReluAndRequantize, kQuantizedConv2DWithBias,
    kQuantizedConv2DWithBiasAndRelu, kQuantizedConv2DWithBiasAndRequantize,
    kQuantizedConv2DWithBiasAndReluAndRequantize;

namespace {

constexpr KernelEntry kEntries[] = {
    conv_with_entry<false>(kQuantizedConv2D),
    conv_with_entry<false>(kQuantizedConv2DPerChannel),
    conv_with_entry<true>(kQuantizedConv2DAndRelu),
    conv_with_entry<false>(kQuantizedConv2DAndRequantize),
    conv_with_entry<true>(kQuantizedConv2DAndReluAndRequantize),
    conv_with_entry<false>(kQuantizedConv2DWithBias),
    conv_with_entry<true>(kQuantizedConv2DWithBiasAndRelu),
    conv_with_entry<false>(kQuantizedConv2DWithBiasAndRequantize),
    conv_with_entry<true>(kQuantizedConv2DWithBiasAndReluAndRequantize),
};

}  // namespace

extern const KernelTable kQuantizedConvWithCpu{kEntries};

}  // namespace rill
