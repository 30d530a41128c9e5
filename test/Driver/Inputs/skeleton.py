"""skeleton.py ZPLC FOLDER EXAMPLES NAME...: runs programs of a folder on 4 simulated processors
whole and with --sim=skeleton. Fails unless the words of the second output are
words of the first one in their order, as much computing is charged, and something
was left out."""
import os
import re
import subprocess
import sys


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    charged = re.search(r"^computing .*$", done.stderr, re.M)
    skipped = re.search(r"^skeleton +(\d+) loops", done.stderr, re.M)
    return (done.stdout.split(), charged and charged.group(),
            int(skipped.group(1)) if skipped else 0)


zplc, folder, examples, *names = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
for name in names:
    exe = f"{folder}/{os.path.basename(name)}"
    run([zplc, "-O2", "-fcount-work", f"{os.path.join(examples, name)}.z", "-o", exe])
    whole = run([exe, "-p4", "--transport=sim", "--profile"])
    less = run([exe, "-p4", "--transport=sim", "--sim=skeleton", "--profile"])
    rest = iter(whole[0])
    missing = [word for word in less[0] if word not in rest]
    assert not missing, (name, missing)
    assert whole[1] == less[1], (name, whole[1], less[1])
    assert less[2] > 0, name
