# How tests are found and run: lit and FileCheck for everything that has text
# on one end, GoogleTest for data structures and pure functions.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_package(GTest REQUIRED)
find_program(ZPL_LIT NAMES llvm-lit lit lit.py REQUIRED
  HINTS ${LLVM_TOOLS_BINARY_DIR} ${LLVM_INSTALL_PREFIX}/build/utils/lit)
find_program(ZPL_CLANG_FORMAT clang-format-19)
find_program(ZPL_GDB gdb)
find_program(ZPL_MPIEXEC NAMES mpiexec.mpich mpiexec)
find_program(ZPL_OSHRUN oshrun)

# zpl_lit_suite(NAME): one ctest entry for the folder test/NAME, so that a
# summary names the phase that broke.
function(zpl_lit_suite name)
  add_test(NAME lit-${name}
    COMMAND ${Python3_EXECUTABLE} ${ZPL_LIT} -v ${CMAKE_CURRENT_BINARY_DIR}/${name})
endfunction()

# All of them; scripts/run-tests.py runs what stands in <build>/unit.
add_custom_target(unit-tests)

# zpl_unit_test(NAME SOURCES a.cpp ... DEPENDS zplA ...): a GoogleTest program.
function(zpl_unit_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_compile_options(${name} PRIVATE -Wall -Wextra -Werror=switch -Werror=implicit-fallthrough)
  target_link_libraries(${name} PRIVATE ${arg_DEPENDS} GTest::gtest GTest::gtest_main)
  # Every file is a world of its own, with helpers of the same names.
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/unit)
  # Half of the time for a file is that for GoogleTest's header. What ccache keeps
  # costs nothing, but it keeps no files that have precompiled headers.
  list(LENGTH arg_SOURCES count)
  if(count GREATER 4 AND NOT ZPL_CCACHE)
    target_precompile_headers(${name} PRIVATE <gtest/gtest.h>)
  endif()
  add_dependencies(unit-tests ${name})
  add_test(NAME unit-${name} COMMAND ${name})
endfunction()
