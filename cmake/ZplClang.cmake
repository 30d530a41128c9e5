# How Clang's libraries are found: as one shared library, in LLVM's version,
# for lib/Interop/Clang alone. They come with LLVM's; the program clang, which
# compiles C inputs, stands beside LLVM's tools.
find_path(ZPL_CLANG_INCLUDE clang/Frontend/CompilerInstance.h REQUIRED
  HINTS ${LLVM_INCLUDE_DIRS} NO_DEFAULT_PATH)
find_library(ZPL_CLANG_LIBRARY
  NAMES clang-cpp libclang-cpp.so.${LLVM_VERSION_MAJOR}.${LLVM_VERSION_MINOR} REQUIRED
  HINTS ${LLVM_LIBRARY_DIRS} NO_DEFAULT_PATH)
add_library(zpl_clang INTERFACE)
target_include_directories(zpl_clang SYSTEM INTERFACE ${ZPL_CLANG_INCLUDE})
target_link_libraries(zpl_clang INTERFACE ${ZPL_CLANG_LIBRARY} zpl_llvm)
set(ZPL_CLANG ${LLVM_TOOLS_BINARY_DIR}/clang)
