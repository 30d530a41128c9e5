# Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A recipe for Spack. In a checkout:
#
#   spack repo create zpl-repo zpl && mkdir -p zpl-repo/packages/zplc
#   cp packaging/spack/package.py zpl-repo/packages/zplc/
#   spack repo add zpl-repo && spack dev-build zplc@main
from spack.package import *


class Zplc(CMakePackage):
    """Compiler and run-time system for ZPL, the region-based parallel array
    language."""

    license("Apache-2.0 WITH LLVM-exception")
    version("main")

    variant("mpi", default=True, description="transports over MPICH")
    variant("shmem", default=False, description="a transport over OpenSHMEM")
    variant("sleef", default=True, description="functions on vectors")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("python@3.9:", type="build")
    depends_on("googletest", type="build")
    depends_on("llvm@19.1 +clang +llvm_dylib +link_llvm_dylib")
    depends_on("eigen", type="build")
    depends_on("libpng@1.6:")
    depends_on("mpich", when="+mpi")
    depends_on("openmpi +openshmem", when="+shmem")
    depends_on("sleef@3.5:", when="+sleef")
    # One MPI may be found by its own name only where both are there.
    conflicts("+mpi", when="+shmem", msg="MPICH and Open MPI are not loaded together")

    generator("ninja")

    def cmake_args(self):
        args = [self.define("CMAKE_UNITY_BUILD", True)]
        if "~sleef" in self.spec:
            args.append(self.define("ZPL_SLEEF_LIBRARY", ""))
        return args

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def run_example(self):
        example = join_path(self.prefix.share, "zpl", "examples", "jacobi.z")
        Executable(self.prefix.bin.zplc)(example, "-O3", "-o", "jacobi")
        Executable("./jacobi")("-p2")
