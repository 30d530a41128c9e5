# OpenSHMEM, for the plug-in that uses it. What its compiler wrapper needs is
# asked for, so it works beside any MPI, whoever owns `mpicc`.
#
#   zrt_openshmem   what a plug-in links; no such target without OpenSHMEM
#   ZRT_OSHRUN      the launcher's full path, or NOTFOUND
find_program(ZRT_OSHCC NAMES oshcc)
find_program(ZRT_OSHRUN NAMES oshrun)

if(ZRT_OSHCC AND ZRT_OSHRUN)
  foreach(step compile link)
    execute_process(COMMAND ${ZRT_OSHCC} --showme:${step}
      OUTPUT_VARIABLE ${step}_flags OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    separate_arguments(${step}_flags UNIX_COMMAND "${${step}_flags}")
  endforeach()
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_INCLUDES)
  foreach(flag ${compile_flags})
    if(flag MATCHES "^-I(.+)")
      list(APPEND CMAKE_REQUIRED_INCLUDES ${CMAKE_MATCH_1})
    endif()
  endforeach()
  set(CMAKE_REQUIRED_LIBRARIES ${link_flags})
  check_cxx_source_compiles("#include <shmem.h>
    int main() { return shmem_uint64_test(nullptr, SHMEM_CMP_GE, 1); }" ZRT_HAS_OPENSHMEM)
  set(openshmem_includes ${CMAKE_REQUIRED_INCLUDES})
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LIBRARIES)
endif()

if(ZRT_HAS_OPENSHMEM)
  add_library(zrt_openshmem INTERFACE)
  target_include_directories(zrt_openshmem SYSTEM INTERFACE ${openshmem_includes})
  target_link_libraries(zrt_openshmem INTERFACE ${link_flags})
else()
  message(STATUS "OpenSHMEM not found: the transport 'shmem' is not built")
endif()
