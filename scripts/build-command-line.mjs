// Bundles the command line into cli/dist, so that its package needs no other. Plain JavaScript: npm pack runs it on any Node.
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';

const root = path.resolve(import.meta.dirname, '..');
const output = path.join(root, 'cli', 'dist');

/** Needs stores to try things in: a checkout of the repository has them, the package does not. */
const leftOut = /\/admin\/rebuild\.ts$/;

await rm(output, { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: [path.join(root, 'cli', 'tributary.ts')],
  outdir: output,
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  mainFields: ['module', 'main'],
  minify: true,
  keepNames: true,
  legalComments: 'none',
  metafile: true,
  external: ['@duckdb/node-api'],
  plugins: [
    {
      name: 'leave-out',
      setup: ({ onResolve }) =>
        onResolve({ filter: /\.ts$/ }, ({ path: place, resolveDir }) =>
          leftOut.test(path.resolve(resolveDir, place).replaceAll(path.sep, '/'))
            ? { path: place, external: true }
            : null,
        ),
    },
  ],
  banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
});

const packages = [...new Set(Object.keys(metafile.inputs).flatMap((input) => packageOf(input) ?? []))].sort();
const foreign = Object.keys(metafile.inputs).filter((input) => /^(lib|local|functions|bin)\/|aws-cdk/.test(input));
if (foreign.length > 0) throw new Error(`The command line must not need the stack or emulators: ${foreign}`);
const manifests = await Promise.all(packages.map(manifestOf));
const parts = manifests.map(({ name, version }) => ({ name, version }));
await writeFile(path.join(output, 'packages.json'), JSON.stringify(parts));
await writeFile(path.join(output, 'THIRD-PARTY-LICENSES.txt'), (await Promise.all(packages.map(licence))).join('\n\n'));
await cp(path.join(root, 'LICENSE'), path.join(output, 'LICENSE'));

function packageOf(input) {
  return (
    /(?:^|\/)(node_modules\/(?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(input) &&
    input.slice(0, endOfPackage(input))
  );
}

function endOfPackage(input) {
  const start = input.lastIndexOf('node_modules/') + 'node_modules/'.length;
  const parts = input.slice(start).split('/');
  return start + parts.slice(0, parts[0].startsWith('@') ? 2 : 1).join('/').length;
}

async function manifestOf(folder) {
  return JSON.parse(await readFile(path.join(root, folder, 'package.json'), 'utf8'));
}

async function licence(folder) {
  const { name, version, license } = await manifestOf(folder);
  const texts = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license', 'LICENCE'].map((file) =>
    readFile(path.join(root, folder, file), 'utf8').catch(() => ''),
  );
  const text = (await Promise.all(texts)).find((one) => one !== '') ?? '';
  return `${name} ${version}: ${license}\n\n${text}`;
}
