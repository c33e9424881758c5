#ifndef TENSORFLOW_CORE_FRAMEWORK_TYPES_H_
#define TENSORFLOW_CORE_FRAMEWORK_TYPES_H_

#include <array>
#include <string>
#include <vector>

#include "tensorflow/core/framework/numeric_types.h"
#include "tensorflow/core/framework/resource_handle.h"
#include "tensorflow/core/framework/types.pb.h"
#include "tensorflow/core/lib/core/stringpiece.h"
#include "tensorflow/core/lib/gtl/array_slice.h"
#include "tensorflow/core/lib/gtl/inlined_vector.h"
#include "tensorflow/core/platform/logging.h"
#include "tensorflow/core/platform/types.h"

namespace tensorflow {

enum MemoryType { DEVICE_MEMORY = 0, HOST_MEMORY = 1 };

// "CPU", "GPU": the kinds of devices that kernels are registered for.
class DeviceType {
 public:
  DeviceType(const char* type) : type_(type) {}
  explicit DeviceType(StringPiece type) : type_(type.ToString()) {}
  const char* type() const { return type_.c_str(); }
  const string& type_string() const { return type_; }
  bool operator<(const DeviceType& other) const { return type_ < other.type_; }
  bool operator==(const DeviceType& other) const { return type_ == other.type_; }
  bool operator!=(const DeviceType& other) const { return !(*this == other); }

 private:
  string type_;
};
std::ostream& operator<<(std::ostream& os, const DeviceType& d);

extern const char* const DEVICE_DEFAULT;  // "DEFAULT"
extern const char* const DEVICE_CPU;      // "CPU"
extern const char* const DEVICE_GPU;      // "GPU"
extern const char* const DEVICE_SYCL;     // "SYCL"

typedef gtl::InlinedVector<MemoryType, 4> MemoryTypeVector;
typedef gtl::ArraySlice<MemoryType> MemoryTypeSlice;
typedef gtl::InlinedVector<DataType, 4> DataTypeVector;
typedef gtl::ArraySlice<DataType> DataTypeSlice;

string DataTypeString(DataType dtype);  // "float", "int32_ref"
string DataTypeSliceString(const DataTypeSlice dtypes);
inline string DataTypeVectorString(const DataTypeVector& dtypes) {
  return DataTypeSliceString(dtypes);
}
bool DataTypeFromString(StringPiece sp, DataType* dt);
int DataTypeSize(DataType dt);  // bytes of an element, 0 where that means nothing

static const int kDataTypeRefOffset = 100;
inline bool IsRefType(DataType dtype) { return dtype > static_cast<DataType>(kDataTypeRefOffset); }
inline DataType MakeRefType(DataType dtype) {
  return static_cast<DataType>(static_cast<int>(dtype) + kDataTypeRefOffset);
}
inline DataType RemoveRefType(DataType dtype) {
  return static_cast<DataType>(static_cast<int>(dtype) - kDataTypeRefOffset);
}
inline DataType BaseType(DataType dtype) { return IsRefType(dtype) ? RemoveRefType(dtype) : dtype; }
inline bool TypesCompatible(DataType expected, DataType actual) {
  return expected == actual || expected == BaseType(actual);
}
bool DataTypeCanUseMemcpy(DataType dt);
bool DataTypeIsFloating(DataType dt);
bool DataTypeIsComplex(DataType dt);
bool DataTypeIsQuantized(DataType dt);
bool DataTypeIsInteger(DataType dt);
bool DataTypeIsUnsigned(DataType dt);
bool DataTypeAlwaysOnHost(DataType dt);

template <class T>
struct IsValidDataType {
  static constexpr bool value = false;
};
// DataTypeToEnum<float>::v() and ::value are DT_FLOAT; other types do not compile.
template <class T>
struct DataTypeToEnum {
  static_assert(IsValidDataType<T>::value, "Specified Data Type not supported");
};
template <DataType VALUE>
struct EnumToDataType {};

#define MATCH_TYPE_TO_ENUM(TYPE, ENUM)                  \
  template <>                                           \
  struct DataTypeToEnum<TYPE> {                         \
    static DataType v() { return ENUM; }                \
    static DataType ref() { return MakeRefType(ENUM); } \
    static constexpr DataType value = ENUM;             \
  };                                                    \
  template <>                                           \
  struct IsValidDataType<TYPE> {                        \
    static constexpr bool value = true;                 \
  }
#define MATCH_TYPE_AND_ENUM(TYPE, ENUM) \
  MATCH_TYPE_TO_ENUM(TYPE, ENUM);       \
  template <>                           \
  struct EnumToDataType<ENUM> {         \
    typedef TYPE Type;                  \
  }

class Variant;

MATCH_TYPE_AND_ENUM(float, DT_FLOAT);
MATCH_TYPE_AND_ENUM(double, DT_DOUBLE);
MATCH_TYPE_AND_ENUM(int32, DT_INT32);
MATCH_TYPE_AND_ENUM(uint32, DT_UINT32);
MATCH_TYPE_AND_ENUM(uint16, DT_UINT16);
MATCH_TYPE_AND_ENUM(uint8, DT_UINT8);
MATCH_TYPE_AND_ENUM(int16, DT_INT16);
MATCH_TYPE_AND_ENUM(int8, DT_INT8);
MATCH_TYPE_AND_ENUM(string, DT_STRING);
MATCH_TYPE_AND_ENUM(complex64, DT_COMPLEX64);
MATCH_TYPE_AND_ENUM(complex128, DT_COMPLEX128);
MATCH_TYPE_AND_ENUM(int64, DT_INT64);
MATCH_TYPE_AND_ENUM(uint64, DT_UINT64);
MATCH_TYPE_AND_ENUM(bool, DT_BOOL);
MATCH_TYPE_AND_ENUM(qint8, DT_QINT8);
MATCH_TYPE_AND_ENUM(quint8, DT_QUINT8);
MATCH_TYPE_AND_ENUM(qint16, DT_QINT16);
MATCH_TYPE_AND_ENUM(quint16, DT_QUINT16);
MATCH_TYPE_AND_ENUM(qint32, DT_QINT32);
MATCH_TYPE_AND_ENUM(bfloat16, DT_BFLOAT16);
MATCH_TYPE_AND_ENUM(Eigen::half, DT_HALF);
MATCH_TYPE_AND_ENUM(ResourceHandle, DT_RESOURCE);
// The other 64-bit integers of the platform are the same elements.
MATCH_TYPE_TO_ENUM(long, DT_INT64);
MATCH_TYPE_TO_ENUM(unsigned long, DT_UINT64);

#undef MATCH_TYPE_TO_ENUM
#undef MATCH_TYPE_AND_ENUM

}  // namespace tensorflow

#endif
