import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { type BuildOptions, build, context, type Metafile } from 'esbuild';
import { Fault } from '../shared/contract/fault.ts';
import { buildSite } from './build-site.ts';
import { pageFunction } from './function-specs.ts';

const root = path.resolve(import.meta.dirname, '..');
const output = path.join('dist', 'functions');

/** Files that a source reads at run time: they lie, under these names, beside the bundle that holds it. */
const companions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'shared/adapters/sql-parser.ts': {
    'manual.mjs': 'node_modules/@polyglot-sql/sdk/dist/manual.js',
    'polyglot_sql.wasm': 'node_modules/@polyglot-sql/sdk/dist/polyglot_sql.wasm',
  },
};

/** Where the bundle of a function lies. */
export const bundleFolder = (name: string): string => path.join(root, output, name);

/** Bundles the named functions in one pass: what runs on a laptop is what is deployed. */
export async function bundleFunctions(names: readonly string[], folder = output): Promise<void> {
  const site = path.resolve(root, folder, pageFunction, 'site');
  const [{ metafile }] = await Promise.all([
    build(options(names, folder)),
    names.includes(pageFunction) && buildSite(site),
  ]);
  await copyCompanions(metafile);
}

/** Bundles the functions again whenever a source changes, and tells each time; the answer stops it once a build under way has ended. */
export async function watchFunctions(names: readonly string[], onRebuilt: () => void): Promise<() => Promise<void>> {
  let builds = 0;
  const building = await context({
    ...options(names, output),
    logLevel: 'warning',
    plugins: [
      {
        name: 'after-rebuild',
        setup: ({ onEnd }) =>
          onEnd(async ({ errors, metafile }) => {
            if (errors.length > 0 || !metafile) return;
            await copyCompanions(metafile);
            // The first is of what is there.
            if (builds++ > 0) onRebuilt();
          }),
      },
    ],
  });
  await building.watch();
  return () => building.dispose();
}

const options = (names: readonly string[], folder: string) =>
  ({
    entryPoints: Object.fromEntries(names.map((name) => [`${name}/index`, entryOf(name)])),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    mainFields: ['module', 'main'],
    minify: true,
    keepNames: true,
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    metafile: true,
    // CommonJS packages inside an ES module still call require for Node's own modules.
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
    logLevel: 'error',
  }) as const satisfies BuildOptions;

function entryOf(name: string): string {
  const entry = path.join('functions', name, 'handler.ts');
  if (!existsSync(path.join(root, entry)))
    throw new Fault('function_without_entry', `The function ${name} has no entry ${entry}.`);
  return entry;
}

async function copyCompanions({ outputs }: Metafile): Promise<void> {
  for (const [file, { inputs }] of Object.entries(outputs))
    for (const [source, beside] of Object.entries(companions))
      for (const [name, from] of source in inputs ? Object.entries(beside) : [])
        await copyFile(path.join(root, from), path.resolve(root, path.dirname(file), name));
}
