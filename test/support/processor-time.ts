/** Milliseconds of processor time, of several attempts the least: what else the machine does only adds. */
export function processorTime(work: () => unknown, attempts = 3): number {
  const times = Array.from({ length: attempts }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}
