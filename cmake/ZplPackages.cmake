# `cpack` in a build folder makes packages for Debian:
#
#   zplc           the compiler, its tools, libraries of ZPL, manual pages
#   zplc-runtime   what programs are linked with, and headers for transports
#   zplc-mpi       the transports mpi and put, loaded by programs under MPICH
#   zplc-shmem     the transport shmem, loaded by programs under OpenSHMEM
#
# The folder must be built before. Each install() names its package as its component; those that name none are
# the compiler's. Programs have the runtime in them: where they only run, zplc-mpi
# or zplc-shmem is all that is needed, or nothing.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME zplc)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR "The zplc project")
set(ZPL_PACKAGE_CONTACT "The zplc project <zplc@localhost.localdomain>"
  CACHE STRING "who answers for packages: Name <address>")
set(CPACK_PACKAGE_CONTACT ${ZPL_PACKAGE_CONTACT})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 2)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL compiler runtime)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)

set(CPACK_DEBIAN_COMPILER_PACKAGE_NAME zplc)
set(CPACK_COMPONENT_COMPILER_DESCRIPTION "compiler for the parallel array language ZPL
ZPL is a region-based language for computing with arrays that are spread over
many processors; communication is visible in its syntax.

This package has the compiler zplc, the language server zpl-lsp, the formatter
zpl-format, zpl-calibrate, libraries written in ZPL, and a package for CMake.")
set(CPACK_DEBIAN_COMPILER_PACKAGE_DEPENDS
  "zplc-runtime (= ${PROJECT_VERSION}), g++ | clang, binutils, libc6-dev")
set(CPACK_DEBIAN_COMPILER_PACKAGE_RECOMMENDS "clang-19, zplc-mpi")
set(CPACK_DEBIAN_COMPILER_PACKAGE_SUGGESTS "gdb, zplc-shmem")

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME zplc-runtime)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS OFF)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "run-time library that programs in ZPL are linked with
Programs have this library in them; it is needed where they are compiled, not
where they run. With headers for those who write transports.")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "zplc-mpi, zplc-shmem")

if(TARGET zrt_mpi)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
endif()
set(CPACK_DEBIAN_MPI_PACKAGE_NAME zplc-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_MPI_DESCRIPTION "transports of programs in ZPL over MPICH
Programs load these when they are started under MPICH, or asked for them. This
is all of zplc that a machine needs on which programs only run.")
set(CPACK_DEBIAN_MPI_PACKAGE_RECOMMENDS mpich)

if(TARGET zrt_shmem)
  list(APPEND CPACK_COMPONENTS_ALL shmem)
endif()
set(CPACK_DEBIAN_SHMEM_PACKAGE_NAME zplc-shmem)
set(CPACK_DEBIAN_SHMEM_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_SHMEM_DESCRIPTION "transport of programs in ZPL over OpenSHMEM
Programs load this when they are started by oshrun, or asked for it.")
set(CPACK_DEBIAN_SHMEM_PACKAGE_RECOMMENDS openmpi-bin)

# Debian wants the copyright and the changes of each package beside it.
set(ZPL_CHANGES ${CMAKE_BINARY_DIR}/packages/changelog)
file(READ ${PROJECT_SOURCE_DIR}/LICENSE license)
string(REGEX REPLACE ".*\n---- LLVM Exceptions to the Apache 2.0 License ----\n\n" "" exceptions "${license}")
string(REGEX REPLACE "\n\n" "\n .\n" exceptions "${exceptions}")
string(REGEX REPLACE "\n([^ \n])" "\n \\1" exceptions "${exceptions}")
configure_file(${PROJECT_SOURCE_DIR}/packaging/debian/copyright.in
  ${CMAKE_BINARY_DIR}/packages/copyright @ONLY)
string(TIMESTAMP ZPL_PACKAGE_DATE "%a, %d %b %Y 00:00:00 +0000" UTC)
configure_file(${PROJECT_SOURCE_DIR}/packaging/debian/changelog.in ${ZPL_CHANGES} @ONLY)
find_program(ZPL_GZIP gzip REQUIRED)
add_custom_command(OUTPUT ${ZPL_CHANGES}.gz ${CMAKE_BINARY_DIR}/packages/CHANGELOG.md.gz
  COMMAND ${ZPL_GZIP} -9nc ${ZPL_CHANGES} > ${ZPL_CHANGES}.gz
  COMMAND ${ZPL_GZIP} -9nc ${PROJECT_SOURCE_DIR}/CHANGELOG.md > ${CMAKE_BINARY_DIR}/packages/CHANGELOG.md.gz
  DEPENDS ${ZPL_CHANGES} ${PROJECT_SOURCE_DIR}/CHANGELOG.md VERBATIM)
add_custom_target(zpl_changes ALL DEPENDS ${ZPL_CHANGES}.gz)
add_dependencies(toolchain zpl_changes)
install(FILES ${CMAKE_BINARY_DIR}/packages/CHANGELOG.md.gz DESTINATION share/doc/zplc)
foreach(component ${CPACK_COMPONENTS_ALL})
  string(TOUPPER ${component} upper)
  set(folder share/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  install(FILES ${CMAKE_BINARY_DIR}/packages/copyright ${ZPL_CHANGES}.gz
    DESTINATION ${folder} COMPONENT ${component})
endforeach()

include(CPack)
