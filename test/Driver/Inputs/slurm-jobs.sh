# slurm-jobs.sh SHORT LONG: jobs of Slurm, in the current folder. SHORT prints what it
# has computed; LONG writes "started" to its error output and does not end by itself.
short=$1 long=$2

# Until a line of squeue, or a file with something in it, is as wanted.
wait_until() {
  for _ in $(seq 100); do
    eval "$1" && return 0
    sleep 0.1
  done
  echo "waited in vain for: $1"
}

echo "== srun"
srun -n 2 "$short" -v 2>&1
echo "== srun without PMI"
srun -n 2 --mpi=none "$short" 2>&1 | grep -v '^srun'
echo "== srun with PMIx"
srun -n 2 --mpi=pmix "$short" -v 2>&1
echo "== srun with PMIx and MPICH"
srun -n 2 --mpi=pmix "$short" --transport=mpi 2>&1 | grep -v '^srun'

echo "== sbatch"
printf '#!/bin/sh\nsrun %s -v\n%s -p2 -v\n' "$short" "$short" >batch.sh
sbatch --wait -n 2 -o batch.out batch.sh >/dev/null
cat batch.out

echo "== an array of jobs"
printf '#!/bin/sh\n%s -sn=$SLURM_ARRAY_TASK_ID\n' "$short" >array.sh
sbatch --wait --array=2-4 -n 1 -o array.%a.out array.sh >/dev/null
cat array.2.out array.3.out array.4.out

cancel() { # what is cancelled, its script
  echo "== scancel of $1"
  rm -f job.out
  printf '#!/bin/sh\n%s\n' "$2" >job.sh
  job=$(sbatch --parsable -n 2 -o job.out job.sh)
  wait_until 'grep -q started job.out 2>/dev/null'
  scancel "$job"
  wait_until '! squeue -h -j $job 2>/dev/null | grep -q .'
  scontrol show job "$job" | grep -o 'JobState=[A-Z]*'
  wait_until '! pgrep -f "^$long" >/dev/null'
  grep -i 'error' job.out | grep -v 'srun\|slurmstepd'
  echo "processes left: $(pgrep -fc "^$long")"
}
cancel "MPI" "srun $long"
cancel "shared memory" "$long -p2"
