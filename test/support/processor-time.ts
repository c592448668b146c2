import { expect } from 'vitest';

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

/** Expects the larger work to take less than `factor` times the smaller and `noise` ms. A machine that is slow for a while gets more attempts. */
export function expectGrowth(
  [small, large]: readonly [() => unknown, () => unknown],
  { factor, noise }: { readonly factor: number; readonly noise: number },
): void {
  let [few, many] = [processorTime(small, 2), processorTime(large, 2)];
  for (let left = 8; left > 0 && many >= factor * few + noise; left--) {
    few = Math.min(few, processorTime(small, 1));
    many = Math.min(many, processorTime(large, 1));
  }
  expect(many).toBeLessThan(factor * few + noise);
}
