# Helpers that turn the folders of rill/ into targets.

set(RILL_FOLDERS "")  # every folder whose objects go into the library

# The standard headers that most sources need.
set(RILL_STANDARD_HEADERS
  <algorithm> <array> <atomic> <cmath> <condition_variable> <cstddef> <cstdint> <cstring>
  <functional> <initializer_list> <limits> <map> <memory> <mutex> <numeric> <optional>
  <ostream> <set> <source_location> <span> <sstream> <string> <string_view> <thread> <tuple>
  <type_traits> <unordered_map> <unordered_set> <utility> <variant> <vector>)

# rill_add_precompiled_header(name header...): an object library whose precompiled header others
# reuse. They must be compiled with the same options. Our own headers are named as <rill/...>: CMake
# writes the names into a source, and with this checkout's path in it ccache could not share it.
function(rill_add_precompiled_header name)
  file(WRITE ${CMAKE_BINARY_DIR}/${name}.cc "")
  add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/${name}.cc)
  target_precompile_headers(${name} PRIVATE ${RILL_STANDARD_HEADERS} ${ARGN})
  if(ARGN)
    rill_cache_by_files(${name})
  endif()
endfunction()

# Sources below `folder` that belong to the library: no tests, cases, fuzzers, benchmarks or main.
function(rill_library_sources out folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.cc)
  list(FILTER sources EXCLUDE REGEX "(_test|_fuzz|_bench|\\.cases)\\.cc$|/main\\.cc$")
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

# rill_add_folder(name [NEEDS folder...] [LINK target...] [HEADERS precompiled])
# Makes rill_<name> from rill/<name>. A folder that is absent or has no sources yet becomes an
# interface target, so that the folders on its right can name it all the same. A folder with a
# CMakeLists.txt of its own defines the target there.
macro(rill_add_folder name)
  cmake_parse_arguments(_folder "" "" "NEEDS;LINK;HEADERS" ${ARGN})
  list(TRANSFORM _folder_NEEDS PREPEND rill_)
  if(NOT _folder_HEADERS)
    set(_folder_HEADERS rill_pch)
  endif()
  if(EXISTS ${CMAKE_SOURCE_DIR}/rill/${name}/CMakeLists.txt)
    add_subdirectory(rill/${name})
  else()
    rill_define_folder_target(${name})
  endif()
  get_target_property(_folder_type rill_${name} TYPE)
  if(_folder_type STREQUAL "INTERFACE_LIBRARY")
    target_link_libraries(rill_${name} INTERFACE ${_folder_NEEDS} ${_folder_LINK})
  else()
    target_link_libraries(rill_${name} PUBLIC ${_folder_NEEDS} ${_folder_LINK})
    list(APPEND RILL_FOLDERS ${name})
  endif()
endmacro()

# What declares ops, and the lists of declarations. These link without kernels (docs/design.md), so
# that generators need no more of the library.
set(declaration_files "\\.op\\.cc$|/register(_all)?\\.gen\\.cc$")

function(rill_define_folder_target name)
  rill_library_sources(sources rill/${name})
  if(NOT sources)
    add_library(rill_${name} INTERFACE)
    target_include_directories(rill_${name} INTERFACE ${CMAKE_SOURCE_DIR})
    return()
  endif()
  set(kernels ${sources})
  list(FILTER kernels INCLUDE REGEX "\\.cpu\\.cc$")
  set(declarations ${sources})
  list(FILTER declarations INCLUDE REGEX "${declaration_files}")
  list(FILTER sources EXCLUDE REGEX "${declaration_files}|\\.cpu\\.cc$|/eigen_[^/]*$")
  rill_batches(batches ${name} ${sources})
  rill_kernel_sources(kernels ${kernels})
  add_library(rill_${name} OBJECT ${batches} ${kernels})
  if(declarations)
    rill_batches(batches op ${declarations})
    add_library(rill_declarations OBJECT ${batches})
    target_include_directories(rill_declarations PUBLIC ${CMAKE_SOURCE_DIR})
    target_precompile_headers(rill_declarations REUSE_FROM rill_pch)
    target_link_libraries(rill_declarations PUBLIC rill_graph)
  endif()
  target_include_directories(rill_${name} PUBLIC ${CMAKE_SOURCE_DIR})
  target_precompile_headers(rill_${name} REUSE_FROM ${_folder_HEADERS})
endfunction()

# g++ 12 vectorises loops at -O3 only. Wider instruction sets are chosen at run time by Highway, which
# compiles such a file several times over: it stands alone, and without the precompiled header, since
# Highway's pragmas would bring back its -O2. CMake is not run again for every kernel that is edited;
# one that includes each_target.h since then is told by that header.
function(rill_kernel_sources out)
  set(plain "")
  set(alone "")
  foreach(kernel IN LISTS ARGN)
    file(STRINGS ${kernel} uses_targets REGEX "#include \"rill/ops/simd/each_target.h\"" LIMIT_COUNT 1)
    if(uses_targets)
      list(APPEND alone ${kernel})
    else()
      list(APPEND plain ${kernel})
    endif()
  endforeach()
  rill_batches(plain cpu ${plain})
  set(kernels ${plain} ${alone})
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    set_source_files_properties(${kernels} PROPERTIES COMPILE_OPTIONS -O3)
  endif()
  set_source_files_properties(${alone} PROPERTIES SKIP_PRECOMPILE_HEADERS ON
    COMPILE_DEFINITIONS RILL_COMPILED_FOR_EACH_TARGET)
  set(${out} ${kernels} PARENT_SCOPE)
endfunction()
