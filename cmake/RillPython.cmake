# The extension module rill._rill. Never the Python that happens to be first on PATH: the checkout's
# .venv, else Debian's.
if(NOT Python_EXECUTABLE AND NOT DEFINED SKBUILD)
  set(Python_EXECUTABLE ${CMAKE_SOURCE_DIR}/.venv/bin/python)
  if(NOT EXISTS ${Python_EXECUTABLE})
    set(Python_EXECUTABLE /usr/bin/python3)
  endif()
endif()
find_package(Python 3.9 REQUIRED COMPONENTS Interpreter Development.Module NumPy)
execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir
                OUTPUT_VARIABLE nanobind_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)
find_package(nanobind CONFIG REQUIRED)

# NOMINSIZE: the feed and fetch paths are measured in microseconds, so speed comes before size.
rill_batches(python_batches python ${python_sources})
nanobind_add_module(rill_python NOMINSIZE ${python_batches})
target_precompile_headers(rill_python PRIVATE ${RILL_STANDARD_HEADERS} <nanobind/nanobind.h>
  <nanobind/stl/optional.h> <nanobind/stl/shared_ptr.h> <nanobind/stl/string.h>
  <nanobind/stl/vector.h> <rill/graph/scope.h>)
rill_cache_by_files(rill_python)
target_link_libraries(rill_python PRIVATE rill protobuf::libprotobuf Python::NumPy)
# Before Python's own headers: Debian's python3-numpy puts an older NumPy among those.
target_include_directories(rill_python BEFORE PRIVATE ${Python_NumPy_INCLUDE_DIRS})
target_compile_definitions(rill_python PRIVATE RILL_VERSION="${PROJECT_VERSION}")
set_target_properties(rill_python PROPERTIES OUTPUT_NAME _rill INSTALL_RPATH "$ORIGIN")
if(RILL_IN_TREE)
  set_target_properties(rill_python PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_SOURCE_DIR}/python/rill)
  file(RELATIVE_PATH library ${CMAKE_SOURCE_DIR}/python/rill ${CMAKE_BINARY_DIR}/lib/librill.so)
  add_custom_command(TARGET rill_python POST_BUILD COMMAND ${CMAKE_COMMAND} -E create_symlink
    ${library} ${CMAKE_SOURCE_DIR}/python/rill/librill.so VERBATIM)
endif()
