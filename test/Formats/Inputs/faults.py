"""Reads broken files of every format and writes to files that cannot grow, and
prints what the programs say: faults.py ANY PUT FOLDER ENDING...

With `full` in the environment those that cannot grow, else the others. For each case, on 1 and 4 processors, the status must be 1 and the message the
same, with a place in the program; none may take 20 seconds."""
import os
import shutil
import subprocess
import sys

any_program, put_program, folder, *endings = sys.argv[1:]
os.chdir(folder)
# A disk of 40 KiB of its own, where that may be mounted.
os.makedirs("small", exist_ok=True)
DISK = ["unshare", "-m", "bash", "-c",
        'mount -t tmpfs -o size=40k none small && cd small && exec "$0" "$@"']
if subprocess.run([*DISK, "true"], capture_output=True).returncode != 0:
    DISK = None


def run(title, program, arguments, environment=None, before=()):
    """Prints what the program says on 1 and 4 processors, if it is to be said."""
    if title.endswith(" full") != ("full" in os.environ):
        return
    said = []
    for processors in (1, 4):
        done = subprocess.run(
            [*before, program, f"-p{processors}", *arguments], capture_output=True, text=True,
            timeout=20, env={**os.environ, **(environment or {})}, errors="replace")
        text = done.stderr.strip().split(": ", 1)[-1]
        for place in (os.path.dirname(any_program) + "/", os.environ["PLUGINS"] + "/"):
            text = text.replace(place, "")
        text = text[text.find("any.z:") if "any.z:" in text else text.find("put.z:"):]
        said.append(f"status {done.returncode}: {text}")
    print(title + ":", said[0] if said[0] == said[1] else " BUT ".join(said))


def cut(source, target, size):
    with open(source, "rb") as whole, open(target, "wb") as part:
        part.write(whole.read()[:size])


for ending in endings:
    good = "good" + ending
    subprocess.run([put_program, "--name=" + good], check=True)
    size = os.path.getsize(good)
    for part, title in ((0, "empty"), (7, "start"), (size // 2, "half"), (size - 9, "nearly")):
        cut(good, "cut" + ending, part)
        run(f"{ending} {title}", any_program, ["--name=cut" + ending])
    with open("noise" + ending, "wb") as noise:
        noise.write(bytes((k * 37 + 11) % 251 for k in range(5000)))
    run(f"{ending} noise", any_program, ["--name=noise" + ending])
    run(f"{ending} shape", any_program, ["--name=" + good, "--m=5"])
    if DISK:
        run(f"{ending} full", put_program, ["--name=full" + ending, "--m=100", "--n=100"],
            before=DISK)
    if ending == ".vti":
        with open(good, "rb") as whole:
            text = whole.read()
        for place in (b"-5", b"9" * 30, b"8000"):
            with open("place.vti", "wb") as other:
                other.write(text.replace(b'offset="0"', b'offset="' + place + b'"'))
            run(f"{ending} at {place.decode()[:4]}", any_program, ["--name=place.vti"])
    if ending in (".h5", ".nc", ".vti"):
        run(f"{ending} name", any_program, [f"--name={good}:other"])
        run(f"{ending} part", any_program, [f"--name={good}:a[0]"])
        os.symlink("/dev/full", "device" + ending)
        run(f"{ending} device", put_program, ["--name=device" + ending])
    if ending in (".h5", ".nc"):
        os.makedirs("none", exist_ok=True)
        run(f"{ending} missing", any_program, ["--name=" + good], {"ZRT_PLUGIN_DIR": "none"})
        os.makedirs("broken", exist_ok=True)
        for plugin in os.listdir(os.environ["PLUGINS"]):
            if plugin.startswith("libzrt_file"):
                cut(os.path.join(os.environ["PLUGINS"], plugin), "broken/" + plugin, 20000)
        run(f"{ending} broken", any_program, ["--name=" + good], {"ZRT_PLUGIN_DIR": "broken"})
