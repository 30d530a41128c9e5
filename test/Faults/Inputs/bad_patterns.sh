# bad_patterns.sh COMMAND WHAT...: runs COMMAND for each, and shows how it ends.
run=$1; shift
for what; do
  case $what in
    header|counts|indices|numbers|far) args="--what=matrix --name=$what.mtx" ;;
    *) args="--what=$what" ;;
  esac
  echo "-- $what"
  seq 100 | timeout 20 $run $args > out.txt 2>&1
  status=$?
  sed -n "s/^.*bad_patterns\.z:/:/; /the index is on processor/d; p" out.txt
  echo "status $status"
done
