import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second (`USER_HZ`). */
const ticksPerSecond = 100;

type Consumption = {
  readonly cpu_seconds: number;
  /** Proportional set sizes: memory that processes share counts once. */
  readonly pss_mib: number;
};

/** What processes and all that they have started took and hold so far (proc(5)); null if there is no `/proc`. */
export function consumptionOf(roots: readonly number[]): Consumption | null {
  const processes = processTable();
  if (processes === null) return null;
  const members = new Set(roots);
  for (const member of members) for (const [pid, { parent }] of processes) if (parent === member) members.add(pid);
  const sum = (of: (pid: number) => number) => [...members].reduce((total, pid) => total + of(pid), 0);
  return {
    cpu_seconds: sum((pid) => processes.get(pid)?.ticks ?? 0) / ticksPerSecond,
    pss_mib: Math.round(sum(kibibytesOf) / 1024),
  };
}

export const processorSecondsOf = (roots: readonly number[]): number | null =>
  consumptionOf(roots)?.cpu_seconds ?? null;

function kibibytesOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))?.[1] ?? 0);
  } catch {
    return 0; // It has ended meanwhile.
  }
}

function processTable(): ReadonlyMap<number, { readonly parent: number; readonly ticks: number }> | null {
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return new Map(pids.flatMap((pid) => statOf(pid)));
  } catch {
    return null;
  }
}

function statOf(pid: string) {
  try {
    // What stands before the last bracket may hold anything: the name of the program.
    const [, parent, , , , , , , , , , ...times] =
      readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
    const ticks = times.slice(0, 4).reduce((sum, one) => sum + Number(one), 0);
    return [[Number(pid), { parent: Number(parent), ticks }] as const];
  } catch {
    // It has ended meanwhile.
    return [];
  }
}
