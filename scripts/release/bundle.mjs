// Bundles programs of the checkout into the folder `dist` of a package, so that it needs few others or none.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { root } from '../project-node.mjs';

/** A source that needs its folder at run time gets its folder in the checkout: the package has the same folders. */
const places = {
  name: 'places',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.(ts|mjs)$/ }, ({ path: file }) => {
      const folder = path.dirname(path.relative(root, file)).replaceAll(path.sep, '/');
      if (folder.startsWith('..') || folder.includes('node_modules')) return null;
      const contents = readFileSync(file, 'utf8')
        .replaceAll('import.meta.dirname', `__place(${JSON.stringify(folder)})`)
        // Threads are entries of the bundle.
        .replaceAll(/new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g, "new URL('./$1.js', import.meta.url)");
      return { contents, loader: file.endsWith('.ts') ? 'ts' : 'js' };
    }),
};

const olderNode = readFileSync(path.join(import.meta.dirname, 'node-20.mjs'), 'utf8');
const banners = {
  esm: `${olderNode}import{createRequire as __cr}from'node:module';import{fileURLToPath as __fp}from'node:url';const require=__cr(import.meta.url);const __place=(f)=>__fp(new URL('../'+f,import.meta.url));`,
  cjs: `const __place=(f)=>require('node:path').resolve(__dirname,'..',f);`,
};

/**
 * Bundles entries, by the names of their files in the package. Sources that match `leftOut` stay imports: they are loaded
 * only in a checkout. Returns the packages that the bundle contains, as folders.
 */
export async function bundle({ output, entries, external, leftOut, format = 'esm' }) {
  const { metafile } = await build({
    entryPoints: entries,
    outdir: output,
    absWorkingDir: root,
    bundle: true,
    splitting: format === 'esm',
    platform: 'node',
    format,
    target: 'node20',
    mainFields: ['module', 'main'],
    minify: true,
    keepNames: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'error',
    external,
    plugins: [
      {
        name: 'leave-out',
        setup: ({ onResolve }) =>
          onResolve({ filter: /\.ts$/ }, ({ path: place, resolveDir }) =>
            leftOut?.test(path.resolve(resolveDir, place).replaceAll(path.sep, '/'))
              ? { path: place, external: true }
              : null,
          ),
      },
      places,
    ],
    banner: { js: banners[format] },
  });
  return packagesOf(Object.keys(metafile.inputs));
}

/** The packages that bundled functions and the explorer contain, as folders. */
export function packagesOfFunctions(folder) {
  const maps = globSync('*/index.mjs.map', { cwd: folder }).map((file) => path.join(folder, file));
  const sources = maps.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')).sources);
  const site = JSON.parse(readFileSync(path.join(folder, 'web', 'site', 'packages.json'), 'utf8'));
  return [...packagesOf(sources), 'node_modules/@polyglot-sql/sdk', ...site.map(({ name }) => `node_modules/${name}`)];
}

/** What a package has bundled itself is named by its source maps, and is under its licence. */
const packagesOf = (files) =>
  [...new Set(files.flatMap((file) => packageOf(file) ?? []))].filter((folder) =>
    existsSync(path.join(root, folder, 'package.json')),
  );

/** `node_modules/a/node_modules/@b/c/d.js` is of `node_modules/a/node_modules/@b/c`. */
const packageOf = (file) => /(?:^|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];

/** Writes the licences of bundled packages, and returns their names and versions. */
export function writeLicences(folders, file) {
  const manifests = [...new Set(folders)].sort().map((folder) => {
    const place = path.join(root, folder);
    return { ...JSON.parse(readFileSync(path.join(place, 'package.json'), 'utf8')), place };
  });
  writeFileSync(file, manifests.map(licence).join('\n\n'));
  return manifests.map(({ name, version }) => ({ name, version }));
}

function licence({ place, name, version, license }) {
  const files = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license', 'LICENCE'].map((one) => path.join(place, one));
  const file = files.find((one) => existsSync(one));
  return `${name} ${version}: ${license}\n\n${file ? readFileSync(file, 'utf8') : ''}`;
}
