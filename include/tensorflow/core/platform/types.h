#ifndef TENSORFLOW_CORE_PLATFORM_TYPES_H_
#define TENSORFLOW_CORE_PLATFORM_TYPES_H_

// Everything below include/tensorflow is C++11 and declares only what source written for
// TensorFlow's C++ interface needs; the definitions are in librill.

#include <climits>
#include <cstdint>
#include <limits>
#include <string>

#if defined(_GLIBCXX_USE_CXX11_ABI) && !_GLIBCXX_USE_CXX11_ABI
#error "librill uses the C++11 string ABI: compile without -D_GLIBCXX_USE_CXX11_ABI=0"
#endif

namespace tensorflow {

using std::string;

typedef signed char int8;
typedef short int16;
typedef int int32;
typedef long long int64;
typedef unsigned char uint8;
typedef unsigned short uint16;
typedef unsigned int uint32;
typedef unsigned long long uint64;

typedef string tstring;

static const uint8 kuint8max = 0xFF;
static const uint16 kuint16max = 0xFFFF;
static const uint32 kuint32max = 0xFFFFFFFFu;
static const uint64 kuint64max = 0xFFFFFFFFFFFFFFFFull;
static const int8 kint8min = -128;
static const int8 kint8max = 127;
static const int16 kint16min = -32768;
static const int16 kint16max = 32767;
static const int32 kint32min = INT32_MIN;
static const int32 kint32max = INT32_MAX;
static const int64 kint64min = INT64_MIN;
static const int64 kint64max = INT64_MAX;

typedef uint64 Fprint;

}  // namespace tensorflow

#endif
