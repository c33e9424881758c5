// Arrays of HDF5 files as tensors.
#include <limits>

#include "rill/base/text.h"
#include "rill/io/hdf5_handles.h"

namespace rill {
namespace {

using hdf5::check;
using hdf5::checked;
using hdf5::Id;
using hdf5::Locked;

constexpr std::uint64_t kMaxPerByte = 1032;  // that zlib can make of one byte
constexpr std::uint64_t kSmall = 4096;       // arrays that were never written take no place

// NumPy's half, which the library has no name for.
Id half_type() {
  Id type(H5Tcopy(H5T_IEEE_F32LE), H5Tclose);
  H5Tset_fields(type, 15, 10, 5, 0, 10);
  H5Tset_size(type, 2);
  H5Tset_ebias(type, 15);
  return type;
}

// As h5py writes truth values.
Id bool_type() {
  Id type(H5Tenum_create(H5T_NATIVE_INT8), H5Tclose);
  const std::int8_t no = 0, yes = 1;
  H5Tenum_insert(type, "FALSE", &no);
  H5Tenum_insert(type, "TRUE", &yes);
  return type;
}

struct Pair {
  DType dtype;
  hid_t (*type)();
};
const Pair kNumbers[] = {
    {DType::f32, [] { return H5T_NATIVE_FLOAT; }},  {DType::f64, [] { return H5T_NATIVE_DOUBLE; }},
    {DType::i8, [] { return H5T_NATIVE_INT8; }},    {DType::i16, [] { return H5T_NATIVE_INT16; }},
    {DType::i32, [] { return H5T_NATIVE_INT32; }},  {DType::i64, [] { return H5T_NATIVE_INT64; }},
    {DType::u8, [] { return H5T_NATIVE_UINT8; }},   {DType::u16, [] { return H5T_NATIVE_UINT16; }},
    {DType::u32, [] { return H5T_NATIVE_UINT32; }}, {DType::u64, [] { return H5T_NATIVE_UINT64; }},
};

// The library's type of elements in memory.
Id type_of(DType dtype, const std::string& file, const std::string& name) {
  if (dtype == DType::f16) return half_type();
  if (dtype == DType::boolean) return bool_type();
  for (const Pair& pair : kNumbers)
    if (pair.dtype == dtype) return {H5Tcopy(pair.type()), H5Tclose};
  raise(Code::kUnimplemented, file, ": arrays of ", dtype, " as '", name, "' is to be");
}

DType dtype_of_stored(hid_t stored, const std::string& file, const std::string& name) {
  const H5T_class_t kind = H5Tget_class(stored);
  const std::size_t size = H5Tget_size(stored);
  if (kind == H5T_FLOAT && size == 2) return DType::f16;
  if (kind == H5T_FLOAT && size == 4) return DType::f32;
  if (kind == H5T_FLOAT && size == 8) return DType::f64;
  if (kind == H5T_ENUM && size == 1) return DType::boolean;
  if (kind == H5T_INTEGER) {
    const bool is_signed = H5Tget_sign(stored) != H5T_SGN_NONE;
    if (size == 1) return is_signed ? DType::i8 : DType::u8;
    if (size == 2) return is_signed ? DType::i16 : DType::u16;
    if (size == 4) return is_signed ? DType::i32 : DType::u32;
    if (size == 8) return is_signed ? DType::i64 : DType::u64;
  }
  raise(Code::kUnimplemented, file, ": '", name,
        "' is of a type that is neither numbers nor truth ", "values");
}

Shape array_shape(hid_t space, const std::string& file, const std::string& name) {
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank < 0) hdf5::fail(Code::kDataLoss, file, str_cat("'", name, "' has no shape"));
  std::vector<hsize_t> sizes(static_cast<std::size_t>(rank));
  H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
  std::vector<std::int64_t> dims;
  std::uint64_t count = 1;
  for (const hsize_t size : sizes) {
    // 2^60 elements of 8 bytes are more than any memory holds.
    if (size > (std::uint64_t{1} << 60) || (size != 0 && count > (std::uint64_t{1} << 60) / size))
      raise(Code::kDataLoss, file, ": '", name, "' says that it has more elements than can be");
    count *= size;
    dims.push_back(static_cast<std::int64_t>(size));
  }
  return Shape(std::span<const std::int64_t>(dims));
}

}  // namespace

Tensor Hdf5Group::read(const std::string& name) const {
  const Locked locked;
  const std::string& file = handle_->path;
  if (!has(name)) raise(Code::kNotFound, file, ": there is no array '", name, "'");
  const std::string what = str_cat("the array '", name, "'");
  const Id array = checked(H5Dopen2(handle_->id, name.c_str(), H5P_DEFAULT), H5Dclose, file, what);
  const Id space = checked(H5Dget_space(array), H5Sclose, file, what);
  const Id stored = checked(H5Dget_type(array), H5Tclose, file, what);
  const DType dtype = dtype_of_stored(stored, file, name);
  const Shape shape = array_shape(space, file, name);
  // A file may say anything; memory is taken only for what it has, or can be made of what it has.
  const std::uint64_t bytes =
      static_cast<std::uint64_t>(shape.element_count()) * element_size(dtype);
  if (bytes / kMaxPerByte > H5Dget_storage_size(array) + kSmall)
    raise(Code::kDataLoss, file, ": ", what, " says that it has ", bytes, " bytes, but is shorter");
  Tensor tensor(dtype, shape);
  if (shape.element_count() > 0)
    check(H5Dread(array, type_of(dtype, file, name), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                  tensor.raw_data()),
          file, what);
  return tensor;
}

void Hdf5Group::write(const std::string& name, const Tensor& tensor) const {
  const Locked locked;
  const std::string& file = handle_->path;
  const std::string what = str_cat("the array '", name, "'");
  const Id type = type_of(tensor.dtype(), file, name);
  std::vector<hsize_t> dims;
  for (const std::int64_t dim : tensor.shape().dims()) dims.push_back(static_cast<hsize_t>(dim));
  const Id space(dims.empty()
                     ? H5Screate(H5S_SCALAR)
                     : H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr),
                 H5Sclose);
  if (!space.is_there()) hdf5::fail(Code::kInvalidArgument, file, what);
  const Id parents(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(parents, 1);
  const Id array =
      checked(H5Dcreate2(handle_->id, name.c_str(), type, space, parents, H5P_DEFAULT, H5P_DEFAULT),
              H5Dclose, file, what, Code::kInvalidArgument);
  if (tensor.element_count() > 0)
    check(H5Dwrite(array, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, tensor.raw_data()), file, what);
}

}  // namespace rill
