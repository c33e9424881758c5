#pragma once

#include "hwy/highway.h"

// Functions that reach the version of `loops` for the best instruction set of this machine. They
// stand after `#if HWY_ONCE`; `loops` is a function of rill::HWY_NAMESPACE.

// result name(DType type): what loops(type) returns.
#define RILL_DISPATCH_BY_TYPE(result, name, loops)                      \
  HWY_EXPORT(loops);                                                    \
  result name(DType type) { return HWY_DYNAMIC_DISPATCH(loops)(type); } \
  static_assert(true)  // takes the semicolon

// const result& name(): what loops() returned the first time.
#define RILL_DISPATCH_ONCE(result, name, loops) RILL_DISPATCH_ONCE_AS(, result, name, loops)

// The same as the specialisation of a function template, which `result` tells from the others.
#define RILL_DISPATCH_ONCE_FOR(result, name, loops) \
  RILL_DISPATCH_ONCE_AS(template <>, result, name, loops)

#define RILL_DISPATCH_ONCE_AS(prefix, result, name, loops)     \
  HWY_EXPORT(loops);                                           \
  prefix const result& name() {                                \
    static const result found = HWY_DYNAMIC_DISPATCH(loops)(); \
    return found;                                              \
  }                                                            \
  static_assert(true)
