import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Linux counts processor time in hundredths of a second (`USER_HZ`). */
const ticksPerSecond = 100;

type Consumption = {
  readonly cpu_seconds: number;
  /** Proportional set sizes: memory that processes share counts once. */
  readonly pss_mib: number;
};

/** MiB that a process and its descendants hold, by program; empty if there is no `/proc`. */
export function memoryByProgram(root: number): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const pid of membersOf([root], processTable() ?? new Map())) {
    const program = programOf(pid);
    if (program !== null) sums[program] = (sums[program] ?? 0) + kibibytesOf(pid) / 1024;
  }
  return sums;
}

/** Of a Node process its script; null of shells, which hold next to nothing. */
function programOf(pid: number): string | null {
  try {
    const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const name = path.basename(program) === 'node' ? args.find((one) => /\.(ts|mjs|js)$/.test(one)) : program;
    return path.basename(program) === 'sh' || !name ? null : path.basename(name);
  } catch {
    return null; // It has ended meanwhile.
  }
}

/** What processes and all that they have started took and hold so far (proc(5)); null if there is no `/proc`. */
export function consumptionOf(roots: readonly number[]): Consumption | null {
  const processes = processTable();
  if (processes === null) return null;
  const members = membersOf(roots, processes);
  const sum = (of: (pid: number) => number) => [...members].reduce((total, pid) => total + of(pid), 0);
  return {
    cpu_seconds: sum((pid) => processes.get(pid)?.ticks ?? 0) / ticksPerSecond,
    pss_mib: Math.round(sum(kibibytesOf) / 1024),
  };
}

function membersOf(roots: readonly number[], processes: Processes): ReadonlySet<number> {
  const members = new Set(roots);
  for (const member of members) for (const [pid, { parent }] of processes) if (parent === member) members.add(pid);
  return members;
}

export const processorSecondsOf = (roots: readonly number[]): number | null =>
  consumptionOf(roots)?.cpu_seconds ?? null;

/**
 * The processor seconds of each thread that lives, by its name: a function's thread has the name of the function. A
 * thread that has ended is missing, so compare what lives before and after.
 */
export function threadSecondsOf(roots: readonly number[]): ReadonlyMap<string, ThreadSeconds> {
  const processes = processTable();
  if (processes === null) return new Map();
  const threads = [...membersOf(roots, processes)].flatMap((pid) =>
    entriesOf(`/proc/${pid}/task`).map((thread) => ({ pid, thread })),
  );
  return new Map(
    threads.flatMap(({ pid, thread }) => {
      const folder = `/proc/${pid}/task/${thread}`;
      const [nanoseconds] = contentOf(`${folder}/schedstat`).split(' ');
      const name = contentOf(`${folder}/comm`).trim();
      // Other than those of `stat`, these times are exact.
      return name === '' ? [] : [[thread, { name, seconds: Number(nanoseconds) / 1e9 }] as const];
    }),
  );
}

type ThreadSeconds = { readonly name: string; readonly seconds: number };

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // It has ended meanwhile.
  }
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return ''; // It has ended meanwhile.
  }
}

function kibibytesOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))?.[1] ?? 0);
  } catch {
    return 0; // It has ended meanwhile.
  }
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
