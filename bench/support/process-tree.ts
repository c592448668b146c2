import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second (`USER_HZ`). */
const ticksPerSecond = 100;

/** Processor seconds that processes and all that they have started took so far (proc(5)); null if there is no `/proc`. */
export function processorSecondsOf(roots: readonly number[]): number | null {
  const processes = processTable();
  if (processes === null) return null;
  const members = new Set(roots);
  for (const member of members) for (const [pid, { parent }] of processes) if (parent === member) members.add(pid);
  return [...members].reduce((sum, pid) => sum + (processes.get(pid)?.ticks ?? 0), 0) / ticksPerSecond;
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
