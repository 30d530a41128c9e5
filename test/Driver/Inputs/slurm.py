"""Runs a shell script under daemons of Slurm of its own.

    slurm.py SCRIPT [ARGUMENT...]

munged, slurmctld and slurmd have a folder of their own, with their keys, sockets and
logs, and ports that nobody uses; the machine's own Slurm, if it has one, is not
touched. The script finds SLURM_CONF set. Afterwards the daemons are ended; the status
is that of the script. Needs root, since munged and slurmd do.
"""
import os
import socket
import subprocess
import sys
import tempfile
import time

CONFIGURATION = """ClusterName=zpl
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/socket
CryptoType=crypto/munge
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MpiDefault=pmi2
KillWait=2
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def start_munged(folder):
    with open(f"{folder}/key", "wb") as key:
        key.write(os.urandom(1024))
    os.chmod(f"{folder}/key", 0o400)
    return subprocess.Popen(
        ["munged", "--foreground", "--force", f"--socket={folder}/socket",
         f"--key-file={folder}/key", f"--pid-file={folder}/munged.pid",
         f"--log-file={folder}/munged.log", f"--seed-file={folder}/seed"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def wait_for_node(environment):
    """Until the node takes jobs; False if that takes too long."""
    for _ in range(100):
        found = subprocess.run(["sinfo", "-h", "-o", "%T"], env=environment, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=30)
        if found.stdout.strip() == "idle":
            return True
        time.sleep(0.2)
    return False


def main(folder, words):
    host = socket.gethostname()
    for name in ("state", "spool"):
        os.mkdir(f"{folder}/{name}")
    with open(f"{folder}/slurm.conf", "w") as file:
        file.write(CONFIGURATION.format(folder=folder, host=host, ports=free_ports(2),
                                        cpus=os.cpu_count()))
    environment = dict(os.environ, SLURM_CONF=f"{folder}/slurm.conf")
    daemons = []
    try:
        daemons.append(start_munged(folder))
        for _ in range(50):
            if os.path.exists(f"{folder}/socket"):
                break
            time.sleep(0.1)
        for daemon in ("slurmctld", "slurmd"):
            with open(f"{folder}/{daemon}.log", "w") as log:
                daemons.append(subprocess.Popen([daemon, "-D"], env=environment, stdout=log,
                                                stderr=subprocess.STDOUT))
        if not wait_for_node(environment):
            for daemon in ("slurmctld", "slurmd"):
                print(open(f"{folder}/{daemon}.log").read())
            return 3
        return subprocess.run(["sh", *words], env=environment).returncode
    finally:
        for daemon in reversed(daemons):
            daemon.terminate()
        for daemon in daemons:
            daemon.wait(20)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="zpl-slurm-") as place:
        sys.exit(main(place, sys.argv[1:]))
