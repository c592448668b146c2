import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { type BuildOptions, build, context, type Metafile, stop } from 'esbuild';
import { Fault } from '../shared/contract/problems.ts';
import { forgetRecord, isCurrent, recordSources } from './build-record.ts';
import { buildSite } from './build-site.ts';
import { bundlePlugins, virtualModules } from './bundle-plugins.ts';
import { pageFunction } from './function-specs.ts';

const root = path.resolve(import.meta.dirname, '..');
const output = path.join('dist', 'functions');

export const parserFiles: Readonly<Record<string, string>> = {
  'manual.mjs': 'node_modules/@polyglot-sql/sdk/dist/manual.js',
  'polyglot_sql.wasm': 'node_modules/@polyglot-sql/sdk/dist/polyglot_sql.wasm',
};

/** Files that a source reads at run time: they are copied, under these names, into the folder of the bundle that holds it. */
const companions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'shared/adapters/sql-parser.ts': parserFiles,
};

/** Bundles the named functions in one pass: what runs on a laptop is what is deployed. */
export async function bundleFunctions(names: readonly string[], folder = output): Promise<void> {
  const began = Date.now();
  await forgetRecord(folder);
  const [{ metafile }] = await Promise.all([build(bundleOptions(names, folder)), bundleSite(names, folder)]);
  // The bundler's process would hold up to 1 GiB.
  await stop();
  await copyCompanions(metafile);
  const files = Object.keys(metafile.inputs).filter(
    (input) => !Object.values(virtualModules).some((name) => input.startsWith(`${name}:`)),
  );
  const sources = [import.meta.filename, path.join(import.meta.dirname, 'bundle-plugins.ts'), ...files]
    .map((file) => path.relative(root, path.resolve(root, file)))
    .filter((file) => !file.includes('node_modules'));
  await recordSources(folder, names, { sources, began });
}

/** The same, if a source or a dependency has changed since it was last done. */
export async function bundleChangedFunctions(names: readonly string[]): Promise<void> {
  await ((await isCurrent(output, names)) ? bundleSite(names, output) : bundleFunctions(names));
}

const bundleSite = async (names: readonly string[], folder: string): Promise<void> => {
  if (names.includes(pageFunction)) await buildSite(path.resolve(root, folder, pageFunction, 'site'));
};

/** Bundles the functions again whenever a source changes, and tells each time; the answer stops it once a build under way has ended. */
export async function watchFunctions(names: readonly string[], onRebuilt: () => void): Promise<() => Promise<void>> {
  let builds = 0;
  await forgetRecord(output);
  const building = await context({
    ...bundleOptions(names, output),
    logLevel: 'warning',
    plugins: [
      ...bundlePlugins,
      {
        name: 'after-rebuild',
        setup: ({ onEnd }) =>
          onEnd(async ({ errors, metafile }) => {
            if (errors.length > 0 || !metafile) return;
            await copyCompanions(metafile);
            // The first covers existing files.
            if (builds++ > 0) onRebuilt();
          }),
      },
    ],
  });
  await building.watch();
  return () => building.dispose();
}

/** How functions are bundled into the folder of a name below the project. */
export const bundleOptions = (names: readonly string[], folder: string) =>
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
    plugins: bundlePlugins,
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
    for (const [source, files] of Object.entries(companions))
      for (const [name, from] of source in inputs ? Object.entries(files) : [])
        await copyFile(path.join(root, from), path.resolve(root, path.dirname(file), name));
}
