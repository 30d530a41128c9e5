/* peak COMMAND [ARGUMENT ...]: runs the command, its output thrown away, and
 * prints the most memory that it had, in KiB. A small parent, because what a
 * process had before it became the command counts as well. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  pid_t child = fork();
  if (child == 0) {
    dup2(open("/dev/null", O_WRONLY), 1);
    execvp(argv[1], argv + 1);
    _exit(127);
  }
  int status;
  struct rusage usage;
  if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status != 0)
    return 1;
  printf("%ld\n", usage.ru_maxrss);
  return 0;
}
