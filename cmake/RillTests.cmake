# Test binaries, one per folder: linking and starting one program is cheaper than one per file.
find_package(GTest REQUIRED)

file(WRITE ${CMAKE_BINARY_DIR}/rill_test_pch.cc "")
add_library(rill_test_pch OBJECT ${CMAKE_BINARY_DIR}/rill_test_pch.cc)
target_compile_options(rill_test_pch PRIVATE -O1)
target_link_libraries(rill_test_pch PRIVATE GTest::gtest)
target_precompile_headers(rill_test_pch PRIVATE
  <gtest/gtest.h> <algorithm> <array> <cmath> <cstdint> <cstring> <functional> <limits> <memory>
  <numeric> <optional> <span> <string> <string_view> <thread> <vector>)

# rill_add_program(name source... [LINK target...]): a developer's program.
# Programs find test data relative to the repository root, where they are run: an absolute path
# compiled into them would keep another checkout from hitting ccache.
function(rill_add_program name)
  cmake_parse_arguments(PARSE_ARGV 1 program "" "" "LINK")
  add_executable(${name} ${program_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE rill protobuf::libprotobuf ${program_LINK})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
endfunction()

# The main function of tests, which ends those that take too long.
add_library(rill_watchdog OBJECT ${CMAKE_SOURCE_DIR}/tests/watchdog/watchdog.cc)
add_library(rill_test_main OBJECT ${CMAKE_SOURCE_DIR}/tests/watchdog/gtest_main.cc)
target_link_libraries(rill_test_main PRIVATE GTest::gtest)
foreach(part rill_watchdog rill_test_main)
  target_include_directories(${part} PRIVATE ${CMAKE_SOURCE_DIR})
  target_compile_options(${part} PRIVATE -O1)
endforeach()

# A test's own limit comes first and shows its threads; this one is for what does not get that far.
# Sanitizers take ten times as long.
set(RILL_TEST_TIMEOUT 3600)
if(RILL_SANITIZE)
  set(RILL_TEST_TIMEOUT 36000)
endif()

function(rill_add_test name)
  if(NOT ARGN)
    return()
  endif()
  rill_batches(batches test ${ARGN})
  rill_add_program(${name} ${batches} LINK GTest::gtest rill_test_main rill_watchdog rill::highway)
  target_compile_options(${name} PRIVATE -O1)
  target_precompile_headers(${name} REUSE_FROM rill_test_pch)
  set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON)  # stacks have names
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1 WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${RILL_TEST_TIMEOUT})
endfunction()

file(GLOB folders RELATIVE ${CMAKE_SOURCE_DIR}/rill CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/rill/*)
foreach(folder IN LISTS folders)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/rill/${folder}/*_test.cc)
  rill_add_test(test_${folder} ${sources})
endforeach()
if(TARGET test_io)
  target_link_libraries(test_io PRIVATE PNG::PNG)  # it reads back what was written
endif()
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/cpp/*.cc)
rill_add_test(test_cpp ${sources})
target_link_libraries(test_cpp PRIVATE rill::grpc ${ABSL_SYNCHRONIZATION_LIBRARY})  # it runs a server
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/simulation/*.cc)
rill_add_test(test_simulation ${sources} ${CMAKE_SOURCE_DIR}/bench/cluster_model.cc)
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/script/*.cc)
rill_add_test(test_script ${sources} ${CMAKE_SOURCE_DIR}/tests/optest/compare.cc)

# The op cases: golden values, gradients, benchmarks and the support table from the same rows.
file(GLOB_RECURSE cases CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/rill/ops/*.cases.cc)
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/optest/*.cc)
list(FILTER sources EXCLUDE REGEX "/cases\\.gen\\.cc$")
list(APPEND sources ${CMAKE_SOURCE_DIR}/tests/watchdog/watchdog.cc
     ${CMAKE_SOURCE_DIR}/tests/script/scanner.cc  # the rows that are text
     ${CMAKE_SOURCE_DIR}/tests/script/literal.cc ${CMAKE_SOURCE_DIR}/tests/script/attribute.cc)
rill_batches(batches optest ${sources})
add_library(rill_optest_parts OBJECT ${batches})
target_link_libraries(rill_optest_parts PUBLIC rill protobuf::libprotobuf GTest::gtest)
target_compile_options(rill_optest_parts PUBLIC -O1)
target_precompile_headers(rill_optest_parts REUSE_FROM rill_test_pch)
rill_batches(batches cases ${cases})
rill_add_program(rill_optest ${batches} ${CMAKE_SOURCE_DIR}/tests/optest/cases.gen.cc
                 LINK rill_optest_parts)
target_precompile_headers(rill_optest REUSE_FROM rill_test_pch)
foreach(command test grad hostile)
  add_test(NAME rill_optest_${command} COMMAND rill_optest ${command}
           WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(rill_optest_${command} PROPERTIES TIMEOUT ${RILL_TEST_TIMEOUT})
endforeach()
add_test(NAME rill_optest_test_eagerly COMMAND rill_optest test --eagerly
         WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
set_tests_properties(rill_optest_test_eagerly PROPERTIES TIMEOUT ${RILL_TEST_TIMEOUT})

# Some of the rows on a device with memory of its own; `./do test --long` runs all of them there.
set(stand_in_stems arithmetic matmul conv reduce concat gather reshape softmax batch_norm pool adam
    momentum variable resource_variable repeat choice call loop cast slice select stateless_random
    generator_dataset prefetch_dataset iterator tensor_array)
foreach(command test grad)
  add_test(NAME rill_optest_${command}_stand_in
           COMMAND rill_optest ${command} --device STANDIN ${stand_in_stems}
           WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(rill_optest_${command}_stand_in PROPERTIES TIMEOUT ${RILL_TEST_TIMEOUT})
endforeach()

# bin/cases/<stem>: the same program with the cases of one stem, for who works on that one.
foreach(source IN LISTS cases)
  get_filename_component(stem ${source} NAME_WE)
  set(list_file ${CMAKE_BINARY_DIR}/cases/${stem}.cc)
  add_custom_command(OUTPUT ${list_file}
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${source} -DLIST=${list_file}
            -P ${CMAKE_SOURCE_DIR}/cmake/list_cases.cmake
    DEPENDS ${source} ${CMAKE_SOURCE_DIR}/cmake/list_cases.cmake VERBATIM)
  rill_add_program(cases_${stem} ${source} ${list_file} LINK rill_optest_parts)
  target_precompile_headers(cases_${stem} REUSE_FROM rill_test_pch)
  set_target_properties(cases_${stem} PROPERTIES EXCLUDE_FROM_ALL ON OUTPUT_NAME ${stem}
                        RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin/cases)
endforeach()

if(NOT RILL_SANITIZE)
  add_test(NAME avx_symbols COMMAND python3 tools/check_avx_symbols.py ${CMAKE_BINARY_DIR}
           WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(avx_symbols PROPERTIES TIMEOUT ${RILL_TEST_TIMEOUT})
endif()

# Writes the files that TensorFlow reads in `./do interop`.
rill_add_program(rill_write_files ${CMAKE_SOURCE_DIR}/tests/interop/write_files.cc)

# Load for the model server.
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/bench/serve_load*.cc)
rill_add_program(rill_load ${sources} LINK rill::grpc grpc ${ABSL_SYNCHRONIZATION_LIBRARY})

# What steps cost on large clusters.
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/bench/cluster_*.cc)
rill_add_program(rill_cluster_curve ${sources})

find_package(benchmark QUIET)
file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/bench/*_bench.cc
     ${CMAKE_SOURCE_DIR}/rill/*_bench.cc)
if(benchmark_FOUND AND sources)
  rill_add_program(rill_bench ${sources} LINK benchmark::benchmark benchmark::benchmark_main
                   rill::onednn)
endif()

# Each x_fuzz.cc defines LLVMFuzzerTestOneInput and becomes fuzz_x.
file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/rill/*_fuzz.cc
     ${CMAKE_SOURCE_DIR}/tests/fuzz/*_fuzz.cc)
set(fuzz_targets "")
add_library(rill_fuzz_driver OBJECT ${CMAKE_SOURCE_DIR}/tests/fuzz/driver.cc)
foreach(source IN LISTS sources)
  get_filename_component(stem ${source} NAME_WE)
  string(REGEX REPLACE "_fuzz$" "" stem ${stem})
  if(RILL_LIBFUZZER)
    rill_add_program(fuzz_${stem} ${source})
    target_link_options(fuzz_${stem} PRIVATE -fsanitize=fuzzer)
  else()
    rill_add_program(fuzz_${stem} ${source} LINK rill_fuzz_driver)
  endif()
  list(APPEND fuzz_targets fuzz_${stem})
endforeach()
add_custom_target(rill_fuzz DEPENDS ${fuzz_targets})

# Short programs as tutorials have them, each a main() of its own. Compiled together, with the header
# compiled once, they are rill_tutorials NAME.
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/tutorials/*.cc)
set(tutorial_batches "")
set(declarations "")
set(rows "")
set(index 0)
foreach(source IN LISTS sources)
  get_filename_component(stem ${source} NAME_WE)
  math(EXPR batch "${index} % 4")
  math(EXPR index "${index} + 1")
  string(APPEND batch_${batch}
    "#define main tutorial_${stem}\n#include \"tests/tutorials/${stem}.cc\"\n#undef main\n")
  string(APPEND declarations "int tutorial_${stem}();\n")
  string(APPEND rows "  if (name == \"${stem}\") return tutorial_${stem}();\n")
endforeach()
foreach(batch 0 1 2 3)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/tutorials/batch_${batch}.cc CONTENT "${batch_${batch}}")
  list(APPEND tutorial_batches ${CMAKE_BINARY_DIR}/tutorials/batch_${batch}.cc)
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/tutorials/main.cc CONTENT
  "#include <string>\n${declarations}int main(int, char** arguments) {\n  const std::string name = arguments[1];\n${rows}  return 2;\n}\n")
rill_add_program(rill_tutorials ${tutorial_batches} ${CMAKE_BINARY_DIR}/tutorials/main.cc)
set_source_files_properties(${CMAKE_BINARY_DIR}/tutorials/main.cc PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
target_precompile_headers(rill_tutorials REUSE_FROM example_parts)
target_compile_options(rill_tutorials PRIVATE -Wall -Wextra -Werror)
