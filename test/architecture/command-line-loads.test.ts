import path from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

/** Everything that a source loads as it starts, and not only when it is requested. */
async function loadedBy(entry: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
  const loaded = new Set([entry]);
  for (const file of loaded)
    for (const { path: imported, kind } of metafile.inputs[file]?.imports ?? [])
      if (kind === 'import-statement') loaded.add(imported);
  return [...loaded].map((file) => (path.isAbsolute(file) ? path.relative('.', file) : file));
}

it.each(['cli/tributary.ts', 'cli/commands/admin.ts'])(
  '%s starts without infrastructure, emulators and clients of the stores',
  async (entry) => {
    const loaded = await loadedBy(entry);
    expect(loaded.length).toBeGreaterThan(1);
    expect(loaded.filter((file) => /^(aws-cdk-lib|constructs|esbuild|fauxqs|@dynoxide|@aws-sdk)/.test(file))).toEqual(
      [],
    );
    expect(loaded.filter((file) => /^(lib|local)\//.test(file))).toEqual([]);
  },
);
