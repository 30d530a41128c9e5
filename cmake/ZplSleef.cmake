# SLEEF (Debian: libsleef-dev), whose functions on vectors programs may call. It
# is used if it is there and has those that agree in all bits, which only
# libraries for x86-64 have; without it all functions are the C library's.
#
# `cmake -DZPL_SLEEF_LIBRARY=` leaves it out.
#
# ZPL_SLEEF: the shared library by the name that programs need, or empty.
include(CheckLibraryExists)
find_library(ZPL_SLEEF_LIBRARY sleef)
set(ZPL_SLEEF)
if(ZPL_SLEEF_LIBRARY)
  check_library_exists(${ZPL_SLEEF_LIBRARY} Sleef_finz_expd4_u10avx2 "" ZPL_SLEEF_AGREES)
endif()
if(ZPL_SLEEF_LIBRARY AND ZPL_SLEEF_AGREES)
  get_filename_component(sleef_folder ${ZPL_SLEEF_LIBRARY} DIRECTORY)
  get_filename_component(sleef_file ${ZPL_SLEEF_LIBRARY} REALPATH)
  # libsleef.so.3.5.1 calls itself libsleef.so.3. What matched has its name in
  # the next command only.
  if(sleef_file MATCHES "/(libsleef\\.so\\.[0-9]+)\\.([0-9.]+)$")
    set(sleef_name ${CMAKE_MATCH_1})
    if(EXISTS ${sleef_folder}/${sleef_name})
      set(ZPL_SLEEF ${sleef_folder}/${sleef_name})
      string(REGEX REPLACE ".*\\.so\\." "" ZPL_SLEEF_VERSION ${sleef_file})
    endif()
  endif()
endif()
if(ZPL_SLEEF)
  message(STATUS "SLEEF ${ZPL_SLEEF_VERSION}: ${ZPL_SLEEF}")
else()
  message(STATUS "No SLEEF: library functions are the C library's")
endif()

# zpl_use_sleef(TARGET): with the library, where it is.
function(zpl_use_sleef target)
  if(ZPL_SLEEF)
    target_compile_definitions(${target} PRIVATE ZPL_HAS_SLEEF)
    target_link_libraries(${target} PRIVATE ${ZPL_SLEEF})
  endif()
endfunction()
