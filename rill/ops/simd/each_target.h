// Compiles the including file once per instruction set. A file that wants this begins with
//
//   #define HWY_TARGET_INCLUDE "rill/ops/math/rows/name.cpu.cc"
//   #include "rill/ops/simd/each_target.h"
//
// and keeps its loops between HWY_BEFORE_NAMESPACE() and HWY_AFTER_NAMESPACE() in
// rill::HWY_NAMESPACE. The loops are plain: the compiler vectorises them for each target, and since
// contraction is off they give the same bits on all. What follows `#if HWY_ONCE` is compiled once
// and reaches the best version through the macros of dispatch.h, or HWY_EXPORT and
// HWY_DYNAMIC_DISPATCH.
//
// No include guard: each pass needs the macros of its own target. Highway's vector types are left
// out of the inner passes, where nothing uses them, which saves a second per file.

#ifndef RILL_COMPILED_FOR_EACH_TARGET
#error "CMake does not know yet that this file includes each_target.h: touch CMakeLists.txt"
#endif

// The baseline and AVX2. Wider vectors gain little on loops that wait for memory; a file whose
// loops wait for arithmetic defines RILL_WIDE_LOOPS first, gets AVX-512 as well, and includes
// wide_vectors.h after HWY_BEFORE_NAMESPACE().
#ifndef HWY_DISABLED_TARGETS
#ifdef RILL_WIDE_LOOPS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#else
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#endif
#endif

// foreach_target.h comes first, because it includes this file again.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/base.h"
// clang-format on
#include "hwy/ops/set_macros-inl.h"
#if HWY_ONCE
#include "rill/ops/simd/dispatch.h"
#undef HWY_TARGET_INCLUDE  // every pass has been made
#endif
