# HDF5 and NetCDF, for the plug-ins of file formats that use them. HDF5 is the
# serial one: of several that are installed the one that Debian calls so.
#
#   zrt_hdf5     what a plug-in links; no such target without HDF5
#   zrt_netcdf   the same of NetCDF, which needs HDF5
find_path(ZRT_HDF5_INCLUDE hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(ZRT_HDF5_LIBRARY NAMES hdf5_serial hdf5)
find_path(ZRT_NETCDF_INCLUDE netcdf.h)
find_library(ZRT_NETCDF_LIBRARY NAMES netcdf)

if(ZRT_HDF5_INCLUDE AND ZRT_HDF5_LIBRARY)
  add_library(zrt_hdf5 INTERFACE)
  target_include_directories(zrt_hdf5 SYSTEM INTERFACE ${ZRT_HDF5_INCLUDE})
  target_link_libraries(zrt_hdf5 INTERFACE ${ZRT_HDF5_LIBRARY})
else()
  message(STATUS "HDF5 not found: files that end with .h5, .hdf5 and .nc are not supported")
endif()

if(TARGET zrt_hdf5 AND ZRT_NETCDF_INCLUDE AND ZRT_NETCDF_LIBRARY)
  add_library(zrt_netcdf INTERFACE)
  target_include_directories(zrt_netcdf SYSTEM INTERFACE ${ZRT_NETCDF_INCLUDE})
  target_link_libraries(zrt_netcdf INTERFACE ${ZRT_NETCDF_LIBRARY} zrt_hdf5)
elseif(TARGET zrt_hdf5)
  message(STATUS "NetCDF not found: files that end with .nc are not supported")
endif()
