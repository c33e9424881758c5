# What users get: librill.so, librill.a, the `rill` command and the Python extension.
set(RILL_OBJECTS "")
set(RILL_LINKED Threads::Threads)
foreach(folder IN LISTS RILL_FOLDERS)
  list(APPEND RILL_OBJECTS $<TARGET_OBJECTS:rill_${folder}>)
  if(folder STREQUAL "base")
    list(APPEND RILL_LINKED ${CURL_LIBRARY} ${OPENSSL_LIBRARY} ${CRYPTO_LIBRARY})
  elseif(folder STREQUAL "proto")
    list(APPEND RILL_LINKED protobuf::libprotobuf)
  elseif(folder STREQUAL "net")
    list(APPEND RILL_LINKED ${GRPC_LIBRARY} ${GRPC_CORE_LIBRARY} ${GPR_LIBRARY}
      ${ABSL_SYNCHRONIZATION_LIBRARY} ${NGHTTP2_LIBRARY} ${OPENSSL_LIBRARY} ${CRYPTO_LIBRARY}
      ${ZLIB_LIBRARY})
  elseif(folder STREQUAL "io")
    list(APPEND RILL_LINKED ${PNG_LIBRARIES} ${JPEG_LIBRARY} ${GIF_LIBRARY} ${ZLIB_LIBRARY}
      ${DEFLATE_LIBRARY} ${SNAPPY_LIBRARY} ${HDF5_LIBRARY} ${SQLITE_LIBRARY})
  elseif(folder STREQUAL "ops")
    list(APPEND RILL_OBJECTS $<TARGET_OBJECTS:rill_declarations>)
    list(APPEND RILL_LINKED ${HIGHWAY_LIBRARY} ${ONEDNN_LIBRARY} ${RE2_LIBRARY} ${ICU_LIBRARY}
         gomp)
  elseif(folder STREQUAL "serve")
    list(APPEND RILL_LINKED ${SIMDJSON_LIBRARY})
  endif()
endforeach()
if(NOT RILL_OBJECTS)
  message(FATAL_ERROR "No sources found below ${CMAKE_SOURCE_DIR}/rill")
endif()

# Include directories of the tree for whoever links the library inside this build.
function(rill_describe_library target)
  target_sources(${target} PRIVATE ${RILL_OBJECTS})
  target_link_libraries(${target} PRIVATE ${RILL_LINKED})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}>
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
    "$<BUILD_INTERFACE:${RILL_PROTO_INCLUDES}>")
  target_include_directories(${target} SYSTEM PUBLIC $<BUILD_INTERFACE:${EIGEN_INCLUDE_DIR}>)
  target_compile_features(${target} INTERFACE cxx_std_20)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME rill LINKER_LANGUAGE CXX
    ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
endfunction()

get_target_property(RILL_PROTO_INCLUDES rill_proto INTERFACE_INCLUDE_DIRECTORIES)

add_library(rill SHARED)
add_library(rill::rill ALIAS rill)
rill_describe_library(rill)
if(NOT RILL_SANITIZE)
  target_link_options(rill PRIVATE -Wl,-z,defs)  # an undefined name is an error here, not at run time
endif()
# Build files written for TensorFlow name its libraries.
foreach(name libtensorflow_framework.so libtensorflow_framework.so.1 libtensorflow_cc.so)
  add_custom_command(TARGET rill POST_BUILD COMMAND ${CMAKE_COMMAND} -E create_symlink librill.so
    $<TARGET_FILE_DIR:rill>/${name} VERBATIM)
endforeach()
if(RILL_STATIC AND NOT RILL_SANITIZE)
  add_library(rill_static STATIC)
  add_library(rill::static ALIAS rill_static)
  rill_describe_library(rill_static)
endif()

set(RILL_BIN_DIR ${CMAKE_BINARY_DIR}/bin)
if(RILL_IN_TREE)
  set(RILL_BIN_DIR ${CMAKE_SOURCE_DIR}/bin)
endif()
if(EXISTS ${CMAKE_SOURCE_DIR}/rill/cli/main.cc)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/rill/cli/*.cc)
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  rill_batches(sources cli ${sources})
  add_executable(rill_command ${sources})
  target_link_libraries(rill_command PRIVATE rill protobuf::libprotobuf)
  target_precompile_headers(rill_command REUSE_FROM rill_pch)
  target_compile_definitions(rill_command PRIVATE RILL_VERSION="${PROJECT_VERSION}")
  set_target_properties(rill_command PROPERTIES OUTPUT_NAME rill
    RUNTIME_OUTPUT_DIRECTORY ${RILL_BIN_DIR})
  # TensorFlow's programs (rill/cli/program_names.cc).
  foreach(name tensorflow_model_server grpc_tensorflow_server freeze_graph saved_model_cli import_pb_to_tensorboard
          inspect_checkpoint optimize_for_inference strip_unused tensorboard transform_graph)
    add_custom_command(TARGET rill_command POST_BUILD COMMAND ${CMAKE_COMMAND} -E create_symlink
      rill ${RILL_BIN_DIR}/${name} VERBATIM)
  endforeach()
endif()

# Writes the committed files that follow from the op declarations; run by `./do gen`. It links nothing
# that depends on those files, so that they can be written while the rest does not compile.
if(EXISTS ${CMAKE_SOURCE_DIR}/tools/opgen/main.cc)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tools/opgen/*.cc)
  add_executable(opgen ${sources})
  target_link_libraries(opgen PRIVATE rill_declarations rill_grad rill_graph rill_io rill_tensor
                        rill_proto rill_base)
  target_precompile_headers(opgen REUSE_FROM rill_pch)
  set_target_properties(opgen PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
endif()

file(GLOB python_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/python/src/*.cc)
if(RILL_PYTHON AND python_sources)
  include(RillPython)
endif()

# Each examples/x.cc and examples/cpp/x/x.cc with a main becomes example_x; what they share are the
# other sources there.
file(GLOB example_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/examples/*.cc
     ${CMAKE_SOURCE_DIR}/examples/cpp/*/*.cc)
set(example_parts ${example_sources})
list(FILTER example_parts INCLUDE REGEX "/(drawn_digits|pictures)\\.cc$")
list(REMOVE_ITEM example_sources ${example_parts})
add_library(example_parts OBJECT ${example_parts})
target_link_libraries(example_parts PUBLIC rill protobuf::libprotobuf)
target_precompile_headers(example_parts PRIVATE <rill/rill.h>)
rill_cache_by_files(example_parts)
foreach(source IN LISTS example_sources)
  get_filename_component(stem ${source} NAME_WE)
  add_executable(example_${stem} ${source})
  target_link_libraries(example_${stem} PRIVATE example_parts)
  target_precompile_headers(example_${stem} REUSE_FROM example_parts)
  set_target_properties(example_${stem} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
endforeach()

# Everything above and nothing else: what `./do build` and `./do demo` need.
add_custom_target(rill_products)
foreach(target rill rill_static rill_command rill_python example_demo example_predict)
  if(TARGET ${target})
    add_dependencies(rill_products ${target})
  endif()
endforeach()
