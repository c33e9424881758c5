# Install rules. A wheel carries the extension, the library, the command and the `tensorflow` that
# `rill run` offers; `cmake --install` what C++ programs need.
include(GNUInstallDirs)
set(fact_tables tests/facts/tf1_ops.tsv tests/facts/tf1_cpu_kernels.tsv
                tests/facts/tf1_gradients.tsv)  # for `rill ops --coverage`
if(DEFINED SKBUILD)
  # The last for `rill api` and `rill check`, which are tools of the package.
  install(FILES ${fact_tables} tests/facts/tf1_python_api.tsv DESTINATION rill/facts)
  install(TARGETS rill LIBRARY DESTINATION rill)
  if(TARGET rill_python)
    install(TARGETS rill_python LIBRARY DESTINATION rill)
  endif()
  set_target_properties(rill_command PROPERTIES INSTALL_RPATH "$ORIGIN/..")
  install(TARGETS rill_command DESTINATION rill/bin)
  install(DIRECTORY python/compat DESTINATION rill PATTERN "__pycache__" EXCLUDE)
  # In the checkout the build puts this file beside the package; it is not committed.
  install(FILES ${CMAKE_BINARY_DIR}/rill/proto/rill_descriptors.bin DESTINATION rill/_proto
          RENAME descriptors.bin OPTIONAL)
  # What custom ops are compiled against, Eigen's and protobuf's headers too, as in TensorFlow's.
  install(DIRECTORY include/ DESTINATION rill/include)
  install(DIRECTORY ${CMAKE_BINARY_DIR}/rill/proto/gen/ DESTINATION rill/include
          FILES_MATCHING PATTERN "*.pb.h")
  install(DIRECTORY ${EIGEN_INCLUDE_DIR}/Eigen ${EIGEN_INCLUDE_DIR}/unsupported
          DESTINATION rill/include)
  install(DIRECTORY ${Protobuf_INCLUDE_DIRS}/google DESTINATION rill/include
          FILES_MATCHING PATTERN "*.h" PATTERN "*.inc")
  return()
endif()

set(products rill)
if(TARGET rill_static)
  list(APPEND products rill_static)
  set_target_properties(rill_static PROPERTIES EXPORT_NAME static)
endif()
install(TARGETS ${products} EXPORT rillTargets)
foreach(name libtensorflow_framework.so libtensorflow_framework.so.1 libtensorflow_cc.so)
  install(FILES ${CMAKE_BINARY_DIR}/lib/${name} DESTINATION ${CMAKE_INSTALL_LIBDIR})
endforeach()
if(TARGET rill_command)
  # One run path for both places: CMake would pad the build's, which puts the current directory on
  # the search path.
  file(RELATIVE_PATH built ${RILL_BIN_DIR} ${CMAKE_BINARY_DIR}/lib)
  set_target_properties(rill_command PROPERTIES BUILD_WITH_INSTALL_RPATH ON
    INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR};$ORIGIN/${built}")
  install(TARGETS rill_command)
  foreach(name tensorflow_model_server grpc_tensorflow_server freeze_graph)  # the others are written in Python
    install(FILES ${RILL_BIN_DIR}/${name} DESTINATION ${CMAKE_INSTALL_BINDIR})
  endforeach()
endif()

install(FILES ${fact_tables} DESTINATION ${CMAKE_INSTALL_DATADIR}/rill/facts)
install(DIRECTORY rill DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h" PATTERN "*_test.h" EXCLUDE)
if(EXISTS ${CMAKE_SOURCE_DIR}/include)
  install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()
foreach(directory IN LISTS RILL_PROTO_INCLUDES)
  if(directory MATCHES "^${CMAKE_BINARY_DIR}")
    install(DIRECTORY ${directory}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
            FILES_MATCHING PATTERN "*.pb.h")
  endif()
endforeach()

set(config_directory ${CMAKE_INSTALL_LIBDIR}/cmake/rill)
install(EXPORT rillTargets NAMESPACE rill:: DESTINATION ${config_directory})
# The build folder serves as a package, too: cmake -Drill_DIR=build/release.
export(EXPORT rillTargets NAMESPACE rill:: FILE ${CMAKE_BINARY_DIR}/rillTargets.cmake)
include(CMakePackageConfigHelpers)
configure_package_config_file(cmake/rillConfig.cmake.in ${CMAKE_BINARY_DIR}/rillConfig.cmake
                              INSTALL_DESTINATION ${config_directory})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/rillConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/rillConfig.cmake ${CMAKE_BINARY_DIR}/rillConfigVersion.cmake
        DESTINATION ${config_directory})
configure_file(cmake/rill.pc.in ${CMAKE_BINARY_DIR}/rill.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/rill.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
