# How everything is compiled: C++20, plain x86-64, reproducible floating point.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or Sanitize" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g")
set(CMAKE_CXX_FLAGS_SANITIZE "-O1 -g1 -fno-omit-frame-pointer")

# -fPIC (for programs too, instead of -fPIE) and -pthread stand here and not on targets, because a
# precompiled header is refused where such an option differs. Contraction to FMA is off so that a
# result does not depend on the instruction set. Nothing reads errno or floating-point flags after
# arithmetic, and without them more loops vectorise.
add_compile_options(-fPIC -pthread -Wall -Wextra -Winvalid-pch -Wno-missing-field-initializers
                    -ffp-contract=off -fno-math-errno -fno-trapping-math
                    -fno-semantic-interposition)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # The first lets ccache see through precompiled headers. Sources of a batch are included files, in
  # which g++ would warn of types from unnamed namespaces as of those in headers.
  # By default g++ collects garbage whenever its heap has doubled from 128 MB: a twentieth of its time.
  add_compile_options(-fpch-preprocess -Wno-subobject-linkage
                      --param=ggc-min-expand=300 --param=ggc-min-heapsize=1000000)
else()
  add_compile_options("SHELL:-Xclang -fno-pch-timestamp" -Wno-unused-command-line-argument)
endif()

if(RILL_SANITIZE)
  add_compile_options(-fsanitize=${RILL_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${RILL_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # With these g++ forgets that functions have addresses, and declarations of ops are no longer
    # constant expressions. The address sanitizer stops at a null pointer all the same.
    add_compile_options(-fno-sanitize=null,nonnull-attribute,returns-nonnull-attribute)
  endif()
endif()
if(RILL_SANITIZE STREQUAL "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Where this macro is set, messages have a member more than the installed libprotobuf knows of. The
  # standard library is told by its own name for it.
  add_compile_options(-U__SANITIZE_THREAD__ -D_GLIBCXX_TSAN=1)
endif()
if(RILL_LIBFUZZER)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

find_program(RILL_MOLD mold)
if(RILL_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# ccache: paths below the checkout count relative to it, so a second checkout hits the same entries.
find_program(RILL_CCACHE ccache)
if(RILL_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(launcher env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
               CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
               ${RILL_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()

# Targets that precompile our own headers: ccache must not compare preprocessed text there. An entry
# made before a comment changed would be found, and g++, which knows precompiled files by their
# bytes, would read the header a second time.
function(rill_cache_by_files)
  if(RILL_CCACHE)
    set_target_properties(${ARGN} PROPERTIES
      CXX_COMPILER_LAUNCHER "env;CCACHE_DEPEND=1;${CMAKE_CXX_COMPILER_LAUNCHER}")
  endif()
endfunction()

# Source locations in error messages are relative to the repository, with and without ccache.
file(RELATIVE_PATH source_from_build ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR})
string(REGEX REPLACE "/$" "" source_from_build "${source_from_build}")
add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=
                    -ffile-prefix-map=${source_from_build}/=)
