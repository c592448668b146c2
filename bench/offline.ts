import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { pythonEnvironment } from '../scripts/python-environment.mjs';
import { packPackage } from '../scripts/release/packages.mjs';
import { rounded } from './support/figures.ts';
import { type ModelsManifest, modelsManifest, withLessRead } from './support/models-manifest.ts';

// A dbt project compared with its base from files, by the packed command, from its start to its end. One JSON line for each
// size and run: the clock, the processor time and the most memory. With `--peer` Parrant compares the same artifacts in turn.
// Recce cannot: it asks for manifests that dbt wrote, and a warehouse's profile.
const { values } = parseArgs({ options: { peer: { type: 'boolean', default: false } } });
const parrant = 'parrant==0.21.1';
const sizes = [
  { models: 44, changed: 3 },
  { models: 3_000, changed: 100, layers: 5 },
  { models: 3_000, changed: 100 },
];
const runs = values.peer ? 2 : 5;
const folder = mkdtempSync(path.join(tmpdir(), 'offline-'));
const usage = 'process.on("exit",()=>process.stderr.write("\\n"+JSON.stringify(process.resourceUsage())))';
const Usage = v.object({ userCPUTime: v.number(), systemCPUTime: v.number(), maxRSS: v.number() });

try {
  const { file } = await packPackage('cli', folder);
  spawnSync('tar', ['xzf', file], { cwd: folder });
  const command = path.join(folder, 'package', 'bin.mjs');
  for (const { models, changed, layers } of sizes) {
    const base = modelsManifest({ models, sqlBytes: 300, noteBytes: 1_000, layers });
    const every = Math.floor(models / changed);
    const places = Array.from({ length: changed }, (_, i) => i * every + Math.min(11, every - 1));
    write(`base-${models}`, base);
    write(`branch-${models}`, places.reduce(withLessRead, base));
    for (let run = 0; run < runs; run++) {
      console.log(JSON.stringify({ bench: 'offline', models, changed, layers, ...measured(command, models) }));
      if (values.peer)
        console.log(
          JSON.stringify({ bench: 'offline', peer: parrant, models, changed, layers, ...measuredPeer(models) }),
        );
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** The artifacts of a project: the manifest, and the catalog that was read after it was built. */
function write(name: string, manifest: ModelsManifest): void {
  const target = path.join(folder, name, 'target');
  mkdirSync(target, { recursive: true });
  const columns = { id: { name: 'id', type: 'INTEGER', index: 1 }, v: { name: 'v', type: 'INTEGER', index: 2 } };
  const entries = Object.entries(manifest.nodes).map(([id, { name, schema, database }]) => {
    return [id, { metadata: { type: 'BASE TABLE', name, schema, database }, columns }];
  });
  // Without these Parrant reads no statement.
  const nodes = Object.entries(manifest.nodes).map(([id, node]) => [
    id,
    { ...node, language: 'sql', config: {}, columns: {} },
  ]);
  const [generated_at, later] = ['2026-01-01T00:00:00Z', '2026-01-01T00:05:00Z'];
  const written = { ...manifest, nodes: Object.fromEntries(nodes), metadata: { ...manifest.metadata, generated_at } };
  const catalog = { metadata: { generated_at: later }, nodes: Object.fromEntries(entries), sources: {} };
  writeFileSync(path.join(target, 'manifest.json'), JSON.stringify(written));
  writeFileSync(path.join(target, 'catalog.json'), JSON.stringify(catalog));
}

function measured(command: string, models: number) {
  const args = ['diff', 'dbt', `branch-${models}`, '--base', `base-${models}`, '--format', 'json', '--fail-on', 'none'];
  const start = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(usage)}`, command, ...args],
    { cwd: folder, encoding: 'utf8', env: { PATH: process.env['PATH'] }, maxBuffer: 1 << 28 },
  );
  const seconds = (performance.now() - start) / 1_000;
  if (status !== 0) throw new Error(stderr);
  const { userCPUTime, systemCPUTime, maxRSS } = v.parse(Usage, JSON.parse(stderr.trim().split('\n').at(-1) ?? ''));
  const processorSeconds = rounded((userCPUTime + systemCPUTime) / 1e6, 2);
  return { seconds: rounded(seconds, 2), processorSeconds, mib: Math.round(maxRSS / 1_024) };
}

/** The report of Parrant, whose processor time and memory Python reads. */
function measuredPeer(models: number) {
  const commands = pythonEnvironment('peer-parrant', [parrant]);
  if (!commands) throw new Error('Python 3 or its package index cannot be reached.');
  const usage = `import json, resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([code, used.ru_utime + used.ru_stime, used.ru_maxrss]))`;
  const artifacts = [['', `branch-${models}`] as const, ['base-', `base-${models}`] as const].flatMap(([side, name]) =>
    ['manifest', 'catalog'].flatMap((file) => [`--${side}${file}`, path.join(name, 'target', `${file}.json`)]),
  );
  const command = [path.join(commands, 'parrant'), 'impact', '--format', 'json', ...artifacts];
  const start = performance.now();
  const { stdout, stderr } = spawnSync(path.join(commands, 'python'), ['-c', usage, ...command], {
    cwd: folder,
    encoding: 'utf8',
  });
  const seconds = rounded((performance.now() - start) / 1_000, 2);
  const [code, processor, kib] = v.parse(v.tuple([v.number(), v.number(), v.number()]), JSON.parse(stdout));
  if (code !== 0) throw new Error(stderr);
  return { seconds, processorSeconds: rounded(processor, 2), mib: Math.round(kib / 1_024) };
}
