# Sourced by ./check and ./demo: the packages of Debian 12 that are needed, and
# the build. Bash; the current folder is the checkout.

PACKAGES_BUILD="cmake ninja-build g++ llvm-19-dev libclang-19-dev libclang-cpp19 clang-19 mpich libmpich-dev libpng-dev libeigen3-dev libgtest-dev python3"
PACKAGES_TEST="llvm-19-tools libclang-rt-19-dev clang-format-19 gdb zlib1g-dev"
PACKAGES_FULL="clang-tidy-19 lintian mmdebstrap g++-aarch64-linux-gnu qemu-user slurm-wlm munge"
# Without the first two the transport shmem and its tests are left out, without
# libsleef-dev functions on vectors, without libhdf5-dev and libnetcdf-dev files that
# end with .h5 and .nc, without the others some tests: of the language server,
# completions, manual pages.
PACKAGES_OPTIONAL="openmpi-bin libopenmpi-dev libsleef-dev neovim zsh man-db pkgconf libhdf5-dev hdf5-tools libnetcdf-dev netcdf-bin"
# Of libraries: without them callers in Fortran, and examples that call FFTW and LAPACK, are
# not tested.
PACKAGES_OPTIONAL="$PACKAGES_OPTIONAL gfortran libfftw3-dev liblapacke-dev"
# Of files: without them what others make of our files is not tested.
PACKAGES_OPTIONAL="$PACKAGES_OPTIONAL python3-h5py python3-mpi4py python3-netcdf4 python3-numpy python3-pil python3-vtk9"

say() { printf '%s\n' "== $*"; }

# missing_packages NAME...: those of Debian's packages that are not installed.
missing_packages() {
  local package
  for package in "$@"; do
    dpkg-query -W -f='${db:Status-Abbrev}\n' "$package" 2>/dev/null |
      grep -q '^.i' || printf '%s ' "$package"
  done
}

# as_root COMMAND...: as root or through sudo.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

may_be_root() {
  [ "$(id -u)" = 0 ] ||
    { command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; }
}

# need_packages NAME...: installs what is missing, or says so and ends.
need_packages() {
  if ! command -v dpkg-query >/dev/null; then
    say "This is not Debian; what is needed has these names there: $*"
    return
  fi
  local missing
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  if may_be_root; then
    say "Installing $missing"
    as_root apt-get update
    # shellcheck disable=SC2086
    as_root env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y --no-install-recommends $missing && return
  fi
  echo "These packages are missing and could not be installed: $missing" >&2
  echo "As root: apt-get install $missing" >&2
  exit 1
}

# want_packages NAME...: installs what is missing, or does without.
want_packages() {
  command -v dpkg-query >/dev/null || return 0
  local missing
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  # shellcheck disable=SC2086
  (need_packages $missing) || say "Going on without $missing"
}

# build PRESET [TARGET...]: configures once, then builds what has changed.
build() {
  local preset=$1
  shift
  if [ ! -f "build/$preset/build.ninja" ]; then
    say "Configuring build/$preset"
    # All files of a library are compiled as one where few cores share the work:
    # headers are read once. Sema took 43 s of processor time so, 57 in units of 24.
    # The preset's small units serve small changes. With sanitizers the compiler's
    # time grows faster than a unit.
    local files=24
    [ "$(nproc)" -gt 4 ] || files=0
    [ "$preset" != asan ] || files=8
    cmake --preset "$preset" -DCMAKE_UNITY_BUILD_BATCH_SIZE=$files || return
  fi
  say "Building build/$preset"
  cmake --build "build/$preset" -j "$(nproc)" ${1:+--target "$@"}
}

# build_transports NAME SANITIZERS: the transports alone and the suite that tests
# them, with sanitizers, in build/NAME.
build_transports() {
  local folder=build/$1
  if [ ! -f "$folder/build.ninja" ]; then
    say "Configuring $folder"
    cmake -G Ninja -S runtime -B "$folder" -DZRT_CONFORMANCE=ON -DCMAKE_BUILD_TYPE=None \
      -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=8 \
      -DCMAKE_CXX_FLAGS="-O1 -g1 -fsanitize=$2 -fno-sanitize-recover=all -fno-omit-frame-pointer" || return
  fi
  say "Building $folder"
  cmake --build "$folder" -j "$(nproc)"
}

# mpi_launcher: MPICH's, by its full name where several MPIs are installed.
mpi_launcher() {
  command -v mpiexec.mpich || command -v mpiexec
}
