import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

// One JSON line a Node: the size of the packed command line, and the time that it takes to start in an empty folder.
// Processor time (Linux) is what other work on the machine disturbs least, then the least time of many.
const runs = 15;
const folder = mkdtempSync(path.join(tmpdir(), 'command-line-'));

try {
  execFileSync(process.execPath, ['scripts/release.mjs', '--pack'], { stdio: 'ignore' });
  const packages = path.resolve('dist', 'release');
  const tarball = path.join(packages, readdirSync(packages).find((file) => /-cli-.*\.tgz$/.test(file)) ?? '');
  const packedBytes = statSync(tarball).size;
  writeFileSync(path.join(folder, 'package.json'), '{}');
  execFileSync('npm', ['install', '--silent', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder });
  for (const node of nodes())
    for (const args of [['--version'], ['--help'], ['impact', '--help']])
      console.log(
        JSON.stringify({
          bench: 'command-line',
          node: versionOf(node),
          packedBytes,
          args: args.join(' '),
          ...started(node, args),
        }),
      );
} finally {
  rmSync(folder, { recursive: true });
}

/** Each Node that the machine has: the oldest supported one is among them where it is installed. */
function nodes(): string[] {
  const found = (process.env['PATH'] ?? '').split(path.delimiter).map((place) => path.join(place, 'node'));
  const versions = new Map(found.flatMap((node) => (versionOf(node) === null ? [] : [[versionOf(node), node]])));
  return [...versions.values()];
}

function versionOf(node: string): string | null {
  const { status, stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

function started(node: string, args: readonly string[]) {
  const entry = path.join(folder, 'node_modules', '@tributary-lineage', 'cli', 'bin.mjs');
  const before = processorMs();
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    execFileSync(node, [entry, ...args], { stdio: 'ignore', cwd: folder });
    return Math.round(performance.now() - start);
  }).sort((a, b) => a - b);
  const processor = Math.round((processorMs() - before) / runs);
  return { leastMs: times[0], medianMs: times[Math.floor(runs / 2)], processorMs: processor };
}

/** Processor time of the processes that have ended, in steps of 10 ms: `cutime` and `cstime` of proc(5). */
function processorMs(): number {
  if (!existsSync('/proc/self/stat')) return Number.NaN;
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) * 10;
}
