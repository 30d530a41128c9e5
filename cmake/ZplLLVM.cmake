# The only file that knows how LLVM is found. Debian's LLVM is linked as one
# shared library; its static components would need more packages.
find_package(LLVM 19.1 REQUIRED CONFIG
  HINTS /usr/lib/llvm-19/lib/cmake/llvm)
add_library(zpl_llvm INTERFACE)
target_include_directories(zpl_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
separate_arguments(zpl_llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(zpl_llvm INTERFACE ${zpl_llvm_definitions})
target_link_libraries(zpl_llvm INTERFACE LLVM)
# An installed program finds a library that is not the system's where it was.
if(NOT LLVM_LIBRARY_DIR MATCHES "^/usr/lib/")
  set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
endif()
if(NOT LLVM_ENABLE_RTTI)
  target_compile_options(zpl_llvm INTERFACE -fno-rtti)
endif()
