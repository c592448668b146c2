import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { afterAll, describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..', '..');
const cruiser = path.join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');
const rules = path.join(root, '.dependency-cruiser.cjs');

const Report = v.object({
  summary: v.object({
    totalCruised: v.number(),
    violations: v.array(v.object({ from: v.string(), to: v.string(), rule: v.object({ name: v.string() }) })),
  }),
});

async function cruise(folder: string, ...folders: string[]) {
  const options = ['--config', rules, '--output-type', 'json', ...folders];
  // It exits with the number of violations: the report is what counts.
  const { stdout } = await promisify(execFile)(process.execPath, [cruiser, ...options], {
    cwd: folder,
    maxBuffer: 1 << 28,
  }).catch((failure: { stdout: string }) => failure);
  return v.parse(Report, JSON.parse(stdout)).summary;
}

/** Files that each break one rule; were they not found, the parser would read nothing. */
const planted: Readonly<Record<string, { readonly source: string; readonly breaks: string }>> = {
  'shared/contract/plant.ts': { source: `import '../domain/plant.ts';`, breaks: 'contract-imports-contract' },
  'shared/domain/plant.ts': { source: `import '../adapters/plant.ts';`, breaks: 'domain-imports-contract' },
  'shared/domain/files.ts': { source: `import 'node:fs';`, breaks: 'pure-domain' },
  'shared/domain/sdk.ts': { source: `import '@aws-sdk/client-s3';`, breaks: 'pure-domain' },
  'shared/adapters/plant.ts': { source: `import '../runtime/plant.ts';`, breaks: 'adapters-import-domain' },
  'shared/runtime/plant.ts': {
    source: `import '../../functions/plant/handler.ts';`,
    breaks: 'runtime-imports-inwards',
  },
  'functions/plant/handler.ts': { source: `import '../other/handler.ts';`, breaks: 'functions-import-inwards' },
  'functions/other/handler.ts': { source: '', breaks: '' },
  'lib/plant.ts': { source: `import '../shared/domain/plant.ts';`, breaks: 'lib-imports-contract' },
  'bin/plant.ts': { source: `import '../shared/contract/plant.ts';`, breaks: 'bin-imports-lib' },
  'local/plant.ts': { source: `import '../functions/plant/handler.ts';`, breaks: 'local-imports-no-function' },
  'shared/domain/one/plant.ts': { source: `import '../other/a.ts';`, breaks: '' },
  'shared/domain/one/a.ts': { source: '', breaks: '' },
  'shared/domain/other/a.ts': { source: '', breaks: '' },
  'shared/domain/other/plant.ts': { source: `import '../one/a.ts';`, breaks: '' },
  'lib/circle.ts': { source: `import './circle-back.ts';`, breaks: '' },
  'lib/circle-back.ts': { source: `import type { A } from './circle.ts';`, breaks: 'no-circle' },
  'web/src/plant.tsx': {
    source: `import { a } from '../../functions/plant/handler.ts';\nexport const Plant = () => <>{a}</>;`,
    breaks: 'web-imports-contract',
  },
  'web/src/circle.tsx': { source: `import './circle-back.tsx';\nexport const one = <p />;`, breaks: '' },
  'web/src/circle-back.tsx': { source: `import type { A } from './circle.tsx';`, breaks: 'no-circle' },
  'cli/plant.ts': { source: `import '../lib/plant.ts';`, breaks: 'cli-imports-shared' },
};

describe('the import arrows', () => {
  const garden = mkdtempSync(path.join(tmpdir(), 'planted-'));
  afterAll(() => rmSync(garden, { recursive: true }));

  it('allow every import of the project', async () => {
    const summary = await cruise(root, 'bin', 'lib', 'functions', 'shared', 'local', 'cli', 'web/src', 'test');
    expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)).toEqual([]);
    expect(summary.totalCruised).toBeGreaterThan(100);
  });

  it('report a forbidden import at its place', async () => {
    symlinkSync(path.join(root, 'node_modules'), path.join(garden, 'node_modules'));
    for (const [file, { source }] of Object.entries(planted)) {
      mkdirSync(path.join(garden, path.dirname(file)), { recursive: true });
      writeFileSync(path.join(garden, file), source);
    }
    const { violations } = await cruise(garden, 'bin', 'lib', 'functions', 'shared', 'local', 'cli', 'web/src');
    const found = violations.map(({ from, rule }) => `${from} ${rule.name}`);
    for (const [file, { breaks }] of Object.entries(planted)) if (breaks) expect(found).toContain(`${file} ${breaks}`);
    expect(found).toContain('shared/domain/one no-folder-circle');
  });
});
