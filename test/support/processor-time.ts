/**
 * Milliseconds of processor time, of several attempts the least: what else the machine does only adds. The first attempt
 * that takes no more than `enough` is the last.
 */
export function processorTime(work: () => unknown, attempts = 3, enough = 0): number {
  let least = Number.POSITIVE_INFINITY;
  for (let left = attempts; left > 0 && least > enough; left--) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
