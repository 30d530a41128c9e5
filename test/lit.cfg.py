# How lit runs the tests: one folder per phase of the compiler, and Exec, whose
# tests are programs. See docs/Testing.md.
#
#   lit.py build/dev/test              everything that ./check runs
#   lit.py build/dev/test/Sema         one phase
#   lit.py -Dfull=1 build/dev/test     with the long tests of ./check --full
import os
import platform
import shutil
import sys

import lit.formats

config.name = "zpl"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".z", ".air", ".test"]
config.excludes = ["Inputs", "unit"]
config.test_source_root = os.path.dirname(__file__)
sys.path.insert(0, os.path.join(config.test_source_root, "Exec"))

binary_dir = os.path.join(config.zpl_binary_root, "bin")
source_root = os.path.dirname(config.test_source_root)
config.environment["PATH"] = os.pathsep.join(
    [config.llvm_tools_dir, os.environ["PATH"]])
# A program that hangs must not hang the tests.
limit = "timeout 60"
# Two MPI jobs at once on two cores would only wait for each other.
lock = "flock " + os.path.join(config.zpl_binary_root, "mpi.lock")
# Open MPI refuses root, and more processes than cores, unless told not to.
# No figures that the user has measured: tests name their machines.
config.environment["XDG_CACHE_HOME"] = os.path.join(config.zpl_binary_root, "test", "cache")
config.environment["OMPI_ALLOW_RUN_AS_ROOT"] = "1"
config.environment["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
# Its launcher would wait two seconds after each run that fails, for processes to
# end of themselves that cannot.
config.environment["OMPI_MCA_odls_base_sigkill_timeout"] = "0"

# Programs are written as %zplc and %run...; the bare names would find another
# build's tools on the path.
for name, text in [
    ("%zplc", os.path.join(binary_dir, "zplc")),
    ("%zpl-lsp", os.path.join(binary_dir, "zpl-lsp")),
    ("%zpl-format", os.path.join(binary_dir, "zpl-format")),
    ("%zpl-opt", os.path.join(binary_dir, "zpl-opt")),
    ("%zpl-predict", os.path.join(binary_dir, "zpl-predict")),
    ("%run_mpi", f"{lock} {limit} {config.mpiexec}"),
    ("%run_shmem", f"{lock} {limit} {config.oshrun} --oversubscribe"),
    ("%run_gdb", f"{limit} {config.python} {source_root}/test/Debug/Inputs/run-gdb.py "
                 f"{config.gdb} {config.zpl_binary_root}/share/zpl/gdb"),
    ("%run", limit),
    ("%matrix", f"{config.python} {source_root}/test/Exec/run_matrix.py "
                f"--build {config.zpl_binary_root}"),
    ("%gdb", config.gdb),
    ("%clang-format", config.clang_format),
    ("%cc", config.c_compiler),
    # As it compiles the compiler.
    ("%cxx", " ".join([config.cxx_compiler, "-std=c++20 -fno-rtti"] +
                      [f"-isystem {dir}" for dir in config.llvm_include_dirs.split(";")])),
    ("%cmake", config.build_command),
    ("%cpack", os.path.join(os.path.dirname(config.build_command), "cpack")),
    ("%python", config.python),
    ("%build", config.zpl_binary_root),
    ("%root", source_root),
]:
    config.substitutions.append((name + r"\b", text.replace("\\", r"\\")))

config.available_features.add(platform.machine())
# The processor multiplies and adds with one rounding.
if os.path.exists("/proc/cpuinfo"):
    with open("/proc/cpuinfo", encoding="utf-8") as cpu:
        if " fma " in cpu.read():
            config.available_features.add("fma")
# zplc calls SLEEF's functions, and this machine runs them.
if config.sleef:
    config.available_features.add("sleef")


def has_plugin(name, launcher):
    plugin = os.path.join(config.zpl_binary_root, f"lib/zpl/plugins/libzrt_{name}.so")
    return not launcher.endswith("NOTFOUND") and os.path.exists(plugin)


config.has_mpi = has_plugin("mpi", config.mpiexec)
if config.has_mpi:
    config.available_features.add("mpi")
config.has_shmem = has_plugin("shmem", config.oshrun)
if config.has_shmem:
    config.available_features.add("shmem")
# Formats of files whose plug-in was built, and the tools that look into them.
for name in ("hdf5", "netcdf"):
    if os.path.exists(os.path.join(config.zpl_binary_root,
                                   f"lib/zpl/plugins/libzrt_file_{name}.so")):
        config.available_features.add(name)
for tool in ("h5dump", "ncdump", "dpkg-deb", "pkg-config", "zsh", "mmdebstrap", "gfortran",
             "chromium"):
    if shutil.which(tool):
        config.available_features.add(tool)
if shutil.which("aarch64-linux-gnu-g++") and shutil.which("qemu-aarch64"):
    config.available_features.add("cross-aarch64")
if os.geteuid() == 0 and all(map(shutil.which, ("munged", "slurmctld", "slurmd", "srun"))):
    config.available_features.add("slurm")
if os.geteuid() == 0 and shutil.which("setpriv"):
    config.available_features.add("root")
config.full = bool(lit_config.params.get("full"))
config.substitutions.append((r"%seeds\b", "3" if config.full else "0"))
if config.full:
    config.available_features.add("full")
if not config.clang_format.endswith("NOTFOUND"):
    config.available_features.add("clang-format")
