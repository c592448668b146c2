import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Mutant, probed } from './mutants.ts';

export type Reached = {
  /** The test files that reach each mutant, by its index. */
  readonly tests: readonly (readonly string[])[];
  /** How long each test file took, in milliseconds. */
  readonly durations: ReadonlyMap<string, number>;
  /** Test files that fail without a mutant, so they judge none. */
  readonly failing: readonly string[];
};

/** A copy of the checkout, with its uncommitted changes, that mutants are written to. */
export function createCopy(root: string) {
  const git = (...command: string[]) => execFileSync('git', ['-C', root, ...command], { encoding: 'utf8' }).trim();
  const folder = path.join(realpathSync(mkdtempSync(path.join(tmpdir(), 'mutation-'))), 'copy');
  git('worktree', 'add', '--detach', '--quiet', folder, git('stash', 'create') || 'HEAD');
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const log = path.join(folder, '..', 'log');
  const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
  const write = (file: string, text: string) => writeFileSync(path.join(folder, file), text);

  let end = () => undefined;

  /** Runs test files in an order until one fails; `null` if they take longer than the limit. */
  async function run(tests: readonly string[], limit: number, ...more: string[]): Promise<boolean | null> {
    const vitest = path.join(folder, 'node_modules', 'vitest', 'vitest.mjs');
    const env = { ...process.env, MUTATION_TESTS: tests.join(), MUTATION_LOG: log };
    const command = [vitest, 'run', '--config', 'bench/mutation/vitest.config.ts', ...more, ...tests];
    // A separate group: an endless loop in a worker does not end with its parent.
    const child = spawn(process.execPath, command, { cwd: folder, env, stdio: 'ignore', detached: true });
    let isOver = false;
    end = () => void (child.pid && process.kill(-child.pid, 'SIGKILL'));
    const timer = setTimeout(() => {
      isOver = true;
      end();
    }, limit);
    const status = await new Promise<number | null>((done) => child.on('exit', done));
    clearTimeout(timer);
    end = () => undefined;
    return isOver ? null : status === 0;
  }

  async function reach(mutants: readonly Mutant[], filters: readonly string[]): Promise<Reached> {
    const probe = (id: number) =>
      `globalThis.__probe${id} ??= (process.getBuiltinModule("node:fs").appendFileSync(${JSON.stringify(log)}, process.pid + " ran ${id}\\n"), 1)`;
    const files = Map.groupBy([...mutants.entries()], ([, { file }]) => file);
    const originals = new Map([...files.keys()].map((file) => [file, read(file)]));
    for (const [file, own] of files) write(file, probed(originals.get(file) ?? '', own, probe));
    const report = path.join(folder, '..', 'report.json');
    await run(filters, 7_200_000, '--reporter=json', `--outputFile.json=${report}`);
    for (const [file, text] of originals) write(file, text);
    if (!existsSync(report)) throw new Error('The tests do not run with the probes.');
    const results: { name: string; status: string }[] = JSON.parse(readFileSync(report, 'utf8')).testResults;
    const failing = results.filter(({ status }) => status !== 'passed').map(({ name }) => path.relative(folder, name));
    const { ran, durations } = readLog(readFileSync(log, 'utf8'), folder);
    const loads = loadsOf(folder);
    const tests = mutants.map(({ file, onLoad }, index) => {
      const own = onLoad ? [...durations.keys()].filter((test) => loads(test).has(file)) : [...(ran.get(index) ?? [])];
      return own
        .filter((test) => !failing.includes(test))
        .sort((a, b) => (durations.get(a) ?? 0) - (durations.get(b) ?? 0));
    });
    return { tests, durations, failing };
  }

  return {
    read,
    write,
    run,
    reach,
    /** Whether the compiler accepts the copy, and each promise in the file is awaited, as `npm run check` requires. */
    passesCheck: (file: string): boolean => {
      const modules = path.join(root, 'node_modules');
      const buildInfo = path.join(folder, '..', 'tsbuildinfo');
      const commands = [
        [path.join(modules, 'typescript', 'bin', 'tsc'), '--noEmit', '--tsBuildInfoFile', buildInfo],
        [path.join(modules, 'oxlint', 'bin', 'oxlint'), file],
      ];
      try {
        for (const command of commands) execFileSync(process.execPath, command, { cwd: folder, stdio: 'ignore' });
        return true;
      } catch {
        return false;
      }
    },
    /** Ends what runs in the copy, too. */
    remove: () => {
      end();
      git('worktree', 'remove', '--force', folder);
      rmSync(path.dirname(folder), { recursive: true, force: true });
    },
  };
}

/** A mark belongs to the test file that its process runs. Processes that a test starts belong to the last file that began. */
function readLog(text: string, folder: string) {
  const ran = new Map<number, Set<string>>();
  const durations = new Map<string, number>();
  const current = new Map<string, string>();
  let last: readonly [string, number] | undefined;
  for (const line of text.split('\n')) {
    const [pid = '', what, subject = '', time] = line.split(' ');
    if (what === 'file') {
      const test = path.relative(folder, subject);
      if (last) durations.set(last[0], Number(time) - last[1]);
      last = [test, Number(time)];
      durations.set(test, 5_000);
      current.set(pid, test);
    } else if (what === 'ran') {
      const test = current.get(pid) ?? last?.[0];
      if (test) ran.set(Number(subject), (ran.get(Number(subject)) ?? new Set()).add(test));
    }
  }
  return { ran, durations };
}

/** The files that each file loads, itself and those behind others included. */
function loadsOf(folder: string): (file: string) => ReadonlySet<string> {
  const imports = new Map(
    globSync('{bin,lib,functions,shared,local,cli,scripts,bench,test}/**/*.{ts,mjs}', { cwd: folder }).map((file) => [
      file,
      [...readFileSync(path.join(folder, file), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(
        ([, target]) => path.join(path.dirname(file), target ?? ''),
      ),
    ]),
  );
  const known = new Map<string, ReadonlySet<string>>();
  return (file) => {
    const loaded = new Set(known.get(file) ?? [file]);
    if (!known.has(file)) for (const one of loaded) for (const next of imports.get(one) ?? []) loaded.add(next);
    known.set(file, loaded);
    return loaded;
  };
}
