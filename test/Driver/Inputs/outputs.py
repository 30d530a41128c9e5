"""outputs.py ZPLC SOURCE FOLDER CLAUSE: compiles SOURCE to places of a kind in the
empty FOLDER, in every way that zplc has to make a file, and checks what is there
afterwards. Devices and file systems are made in FOLDER; where that is not allowed,
the clause is left out, which is said.
"""
import os
import pathlib
import resource
import shutil
import stat
import subprocess
import sys
import threading

ZPLC, SOURCE, FOLDER, CLAUSE = sys.argv[1:]
WAYS = [["-c"], ["-S"], ["-S", "-emit-llvm"], ["-c", "-emit-llvm"], []]
PLACE = pathlib.Path(FOLDER)
TEMPORARIES = PLACE / "tmp"


def check(condition, what):
    if not condition:
        sys.exit(f"{CLAUSE}: {what}")


def run(way, output, limit=None):
    """Status and messages; nothing but what was there is in the temporary folder."""
    def prepare():
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    result = subprocess.run([ZPLC, SOURCE, *way, "-o", output], cwd=PLACE, check=False,
                            capture_output=True, text=True, timeout=60,
                            preexec_fn=prepare, env={**os.environ, "TMPDIR": str(TEMPORARIES)})
    check(not list(TEMPORARIES.iterdir()), f"{way} left a temporary file")
    return result.returncode, result.stderr


def succeeds(way, output):
    status, errors = run(way, output)
    check((status, errors) == (0, ""), f"{way}: status {status}, {errors}")


def fails(way, output, reason, limit=None):
    status, errors = run(way, output, limit)
    expected = f"zplc: error: cannot write '{output}': {reason}\n"
    check((status, errors) == (1, expected), f"{way}: status {status}, {errors}")


def names():
    return sorted(entry.name for entry in PLACE.iterdir() if entry != TEMPORARIES)


def clean():
    for entry in PLACE.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()
    TEMPORARIES.mkdir()


def wanted(way):
    succeeds(way, "plain")
    data = (PLACE / "plain").read_bytes()
    (PLACE / "plain").unlink()
    return data


def same(way, data, expected):
    """Executables have the names of temporary objects in them."""
    check(data == expected or not way and abs(len(data) - len(expected)) < 64 and
          data[:4] == b"\x7fELF", f"{way}: {len(data)} bytes, not {len(expected)}")


def fifos(way):
    expected, got = wanted(way), []
    os.mkfifo(PLACE / "fifo")
    reader = threading.Thread(daemon=True, target=lambda: got.append(
        (PLACE / "fifo").read_bytes()))
    reader.start()
    succeeds(way, "fifo")
    reader.join(20)
    check(got, "nothing came through the FIFO")
    same(way, got[0], expected)
    check(stat.S_ISFIFO((PLACE / "fifo").lstat().st_mode), "the FIFO is gone")
    check(names() == ["fifo"], names())


def devices(way):
    null, full = os.makedev(1, 3), os.makedev(1, 7)
    for name, device in (("null", null), ("full", full)):
        try:
            os.mknod(PLACE / name, stat.S_IFCHR | 0o666, device)
            os.close(os.open(PLACE / name, os.O_WRONLY))
        except PermissionError:
            print("devices cannot be made here")
            return
    succeeds(way, "null")
    fails(way, "full", "No space left on device")
    os.symlink("full", PLACE / "link")
    fails(way, "link", "No space left on device")
    for name in ("null", "full"):
        check(stat.S_ISCHR((PLACE / name).lstat().st_mode), f"{name} is no device any more")
    check(names() == ["full", "link", "null"], names())


def links(way):
    expected = wanted(way)
    (PLACE / "real").mkdir()
    (PLACE / "real" / "old").write_text("old")
    os.symlink("real/old", PLACE / "one")
    os.symlink(PLACE / "one", PLACE / "two")
    os.symlink("real/new", PLACE / "dangling")
    os.symlink("circle", PLACE / "circle")
    succeeds(way, "two")
    succeeds(way, "dangling")
    same(way, (PLACE / "real" / "old").read_bytes(), expected)
    same(way, (PLACE / "real" / "new").read_bytes(), expected)
    for name in ("one", "two", "dangling"):
        check((PLACE / name).is_symlink(), f"{name} is no link any more")
    fails(way, "circle", "Too many levels of symbolic links")
    check(names() == ["circle", "dangling", "one", "real", "two"], names())


def others(way):
    """A second name of an earlier output keeps it; permissions are new ones."""
    (PLACE / "out").write_text("old")
    os.chmod(PLACE / "out", 0o600)
    os.link(PLACE / "out", PLACE / "other")
    before = os.umask(0o027)
    succeeds(way, "out")
    os.umask(before)
    check((PLACE / "other").read_text() == "old", "the other name has changed")
    mode = stat.S_IMODE((PLACE / "out").stat().st_mode)
    check(mode == (0o640 if way else 0o750), f"{way}: permissions {mode:o}")
    longest = "x" * 255
    succeeds(way, longest)
    check(names() == ["other", "out", longest], names())


def limits(way):
    """Where the file may not be as large as it is, the earlier one stays."""
    size = len(wanted(way))
    for limit in (0, 1, size // 2):
        # The linker's own output and objects are limited as well.
        (PLACE / "out").write_text("old")
        if way:
            fails(way, "out", "File too large", limit)
        else:
            status, errors = run(way, "out", limit)
            check(status == 1 and errors.startswith(("zplc: error: ", "/", "collect2", "cc", "gcc")),
                  f"{way}: status {status}, {errors}")
        check((PLACE / "out").read_text() == "old", f"{way}: the earlier output is gone")
        check(names() == ["out"], names())


def disks(way):
    """A file system of its own, too small."""
    (PLACE / "disk").mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=65536", "none",
                              PLACE / "disk"], check=False, capture_output=True)
    if mounted.returncode != 0:
        print("nothing can be mounted here")
        return
    try:
        (PLACE / "disk" / "out").write_text("old")
        fill = os.open(PLACE / "disk" / "fill", os.O_WRONLY | os.O_CREAT)
        try:
            while os.write(fill, bytes(4096)):
                pass
        except OSError:
            os.close(fill)
        fails(way, "disk/out", "No space left on device")
        check(sorted(os.listdir(PLACE / "disk")) == ["fill", "out"], os.listdir(PLACE / "disk"))
        check((PLACE / "disk" / "out").read_text() == "old", "the earlier output is gone")
    finally:
        subprocess.run(["umount", PLACE / "disk"], check=True)


def main():
    for way in WAYS:
        PLACE.mkdir(exist_ok=True)
        clean()
        globals()[CLAUSE](way)


main()
