// For loops that arithmetic limits, not memory: include it right after HWY_BEFORE_NAMESPACE() in a
// file that defines RILL_WIDE_LOOPS (see each_target.h). The compiler then uses
// 512-bit vectors, which it shuns by default. No include guard: each target has its own options.
#if HWY_TARGET == HWY_AVX3 && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("prefer-vector-width=512")
#endif
