#ifndef TENSORFLOW_CORE_PLATFORM_CPU_INFO_H_
#define TENSORFLOW_CORE_PLATFORM_CPU_INFO_H_

namespace tensorflow {
namespace port {
static const bool kLittleEndian = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
int NumSchedulableCPUs();
int NumTotalCPUs();
int MaxParallelism();
}  // namespace port
}  // namespace tensorflow

#endif
