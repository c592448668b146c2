/** Prints figures of a bench, a JSON line at a time. */
export const printerOf =
  (bench: string) =>
  (figures: object): void =>
    console.log(JSON.stringify({ bench, ...figures }));

export const rounded = (value: number, digits = 1): number => Number(value.toFixed(digits));

/** The value below which so much of a list lies, as it is in the list. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** The processor time of this process so far, in milliseconds. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The milliseconds of processor that work takes. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = cpuMs();
  await work();
  return cpuMs() - before;
}
