import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second (`USER_HZ`). */
const ticksPerSecond = 100;

function membersOf(roots: readonly number[], processes: Processes): ReadonlySet<number> {
  const members = new Set(roots);
  for (const member of members) for (const [pid, { parent }] of processes) if (parent === member) members.add(pid);
  return members;
}

/** The processor time of processes and all that they have started (proc(5)); null if there is no `/proc`. */
export function processorSecondsOf(roots: readonly number[]): number | null {
  const processes = processTable();
  if (processes === null) return null;
  const ticks = [...membersOf(roots, processes)].map((pid) => processes.get(pid)?.ticks ?? 0);
  return ticks.reduce((sum, one) => sum + one, 0) / ticksPerSecond;
}

type Processes = ReadonlyMap<number, { readonly parent: number; readonly ticks: number }>;

function processTable(): Processes | null {
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
