# Third-party libraries that have no usable CMake package of their own in Debian.

# Highway: its headers dispatch at run time; libhwy holds the CPU detection.
find_path(HIGHWAY_INCLUDE_DIR hwy/highway.h REQUIRED)
find_library(HIGHWAY_LIBRARY hwy REQUIRED)
add_library(rill::highway INTERFACE IMPORTED)
target_include_directories(rill::highway INTERFACE ${HIGHWAY_INCLUDE_DIR})
target_link_libraries(rill::highway INTERFACE ${HIGHWAY_LIBRARY})

# oneDNN: Debian's package configuration asks for OpenCL headers that nothing here uses.
find_path(ONEDNN_INCLUDE_DIR dnnl.h REQUIRED)
find_library(ONEDNN_LIBRARY dnnl REQUIRED)
add_library(rill::onednn INTERFACE IMPORTED)
target_include_directories(rill::onednn INTERFACE ${ONEDNN_INCLUDE_DIR})
target_link_libraries(rill::onednn INTERFACE ${ONEDNN_LIBRARY} gomp)  # its threads are OpenMP's

# Eigen: the views of TensorFlow's C++ interface are its classes. Headers only.
find_path(EIGEN_INCLUDE_DIR unsupported/Eigen/CXX11/Tensor PATH_SUFFIXES eigen3 REQUIRED)
add_library(rill::eigen INTERFACE IMPORTED)
target_include_directories(rill::eigen SYSTEM INTERFACE ${EIGEN_INCLUDE_DIR})

# Plain libraries with a header each: what rill/base and rill/io need to fetch and read files, and
# what the ops of rill/ops know about regular expressions, encodings and remote calls.
function(rill_find_library name header library)
  string(TOUPPER ${name} upper)
  find_path(${upper}_INCLUDE_DIR ${header} REQUIRED)
  find_library(${upper}_LIBRARY ${library} REQUIRED)
  add_library(rill::${name} INTERFACE IMPORTED GLOBAL)
  target_include_directories(rill::${name} SYSTEM INTERFACE ${${upper}_INCLUDE_DIR})
  target_link_libraries(rill::${name} INTERFACE ${${upper}_LIBRARY})
endfunction()
rill_find_library(curl curl/curl.h curl)
rill_find_library(zlib zlib.h z)
rill_find_library(deflate libdeflate.h deflate)
rill_find_library(jpeg jpeglib.h jpeg)
rill_find_library(gif gif_lib.h gif)
rill_find_library(snappy snappy.h snappy)
rill_find_library(hdf5 hdf5/serial/hdf5.h hdf5_serial)
rill_find_library(sqlite sqlite3.h sqlite3)
rill_find_library(re2 re2/re2.h re2)
rill_find_library(icu unicode/ucnv.h icuuc)
rill_find_library(grpc grpcpp/grpcpp.h grpc++)
find_library(GPR_LIBRARY gpr REQUIRED)  # what gRPC's headers call themselves
find_library(GRPC_CORE_LIBRARY grpc REQUIRED)
find_library(ABSL_SYNCHRONIZATION_LIBRARY absl_synchronization REQUIRED)  # its locks
target_link_libraries(rill::grpc INTERFACE ${GPR_LIBRARY} ${GRPC_CORE_LIBRARY}
                      ${ABSL_SYNCHRONIZATION_LIBRARY})
rill_find_library(nghttp2 nghttp2/nghttp2.h nghttp2)  # HTTP/2 of the gRPC server
rill_find_library(simdjson simdjson.h simdjson)
# TLS of the model server's HTTP; signatures of requests to object stores.
rill_find_library(openssl openssl/ssl.h ssl)
find_library(CRYPTO_LIBRARY crypto REQUIRED)
target_link_libraries(rill::openssl INTERFACE ${CRYPTO_LIBRARY})
