# MPICH, for the plug-ins that use it and for programs that start themselves
# under its launcher. Several MPIs may be installed beside each other, and then
# `mpicc` and `mpiexec` belong to one of them: the full names go first, and what
# a short name has led to must be MPICH.
#
#   zrt_mpich      what a plug-in links; no such target without MPICH
#   ZRT_MPIEXEC    the launcher's full path, or NOTFOUND
find_program(MPI_C_COMPILER NAMES mpicc.mpich mpicc)
find_program(MPIEXEC_EXECUTABLE NAMES mpiexec.mpich mpiexec.hydra mpiexec)
find_package(MPI COMPONENTS C)

if(MPI_C_FOUND)
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
  check_c_source_compiles("#include <mpi.h>
    #ifndef MPICH_VERSION
    #error another MPI
    #endif
    int main(void) { return 0; }" ZRT_MPI_IS_MPICH)
  unset(CMAKE_REQUIRED_LIBRARIES)
endif()

set(ZRT_MPIEXEC NOTFOUND)
if(ZRT_MPI_IS_MPICH)
  set(ZRT_MPIEXEC ${MPIEXEC_EXECUTABLE})
  add_library(zrt_mpich INTERFACE)
  target_compile_definitions(zrt_mpich INTERFACE MPICH_SKIP_MPICXX)
  target_link_libraries(zrt_mpich INTERFACE MPI::MPI_C)
else()
  message(STATUS "MPICH not found: the transports 'mpi' and 'put' are not built")
endif()
