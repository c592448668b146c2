// The npm packages of a release: packed under the scope that package.json names, and tried as users install them.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../project-node.mjs';
import { startRegistry } from './private-registry.mjs';

const folders = ['cli', 'sdk'];
const json = (file) => JSON.parse(readFileSync(file, 'utf8'));
const { scope } = json(path.join(root, 'package.json')).tributary;
const maxBytes = 3_000_000;

/** A Node that is too old for the command line, and the oldest that is not. */
const [tooOld, oldest] = ['20.14.0', '20.15.0'];

/** Packs the command line and the options of the SDKs into a folder, and returns the paths of the packages. */
export function packPackages(output) {
  execFileSync(process.execPath, [path.join(root, 'scripts', 'build-command-line.mjs')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return folders.map((name) =>
    inEmptyFolder((staged) => {
      cpSync(path.join(root, name), staged, { recursive: true });
      renameScope(staged);
      const [{ filename }] = JSON.parse(
        execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', output], {
          cwd: staged,
          encoding: 'utf8',
        }),
      );
      return path.join(output, filename);
    }),
  );
}

/** The repository's manifests and documents have a scope; a release has the one of `tributary.scope`. */
function renameScope(folder) {
  const written = json(path.join(folder, 'package.json')).name.split('/')[0];
  for (const file of ['package.json', 'README.md']) {
    const text = readFileSync(path.join(folder, file), 'utf8');
    writeFileSync(path.join(folder, file), text.replaceAll(`${written}/`, `${scope}/`));
  }
}

/**
 * Publishes packages to a private registry, and installs and runs them from it in an empty folder, the command line also
 * on the oldest Node that it supports and on one that it does not. Returns what was seen, in words.
 */
export async function rehearse(tarballs, version) {
  const [command] = tarballs;
  const bytes = statSync(command).size;
  if (bytes > maxBytes) throw new Error(`The command line has ${bytes} bytes, more than ${maxBytes}.`);
  const registry = await startRegistry();
  try {
    // Provenance is signed by the CI that publishes.
    for (const tarball of tarballs) registry.npm(root, 'publish', tarball, '--provenance=false');
    inEmptyFolder((place) => {
      writeFileSync(path.join(place, 'package.json'), '{"type":"module"}');
      registry.npm(place, 'install', `${scope}/cli@${version}`, `${scope}/posthog@${version}`);
      expectPublished(place);
      expect(registry.npm(place, 'exec', '--', 'tributary', '--version').trim(), version);
      const options = `import * as options from '${scope}/posthog'; console.log(Object.keys(options).length > 0)`;
      expect(
        execFileSync(process.execPath, ['--eval', options, '--input-type=module'], {
          cwd: place,
          encoding: 'utf8',
        }).trim(),
        'true',
      );
      tryOnOldNode(place, version);
    });
  } finally {
    registry.stop();
  }
  return `the command line has ${(bytes / 1e6).toFixed(2)} MB packed, and runs from a private registry in an empty folder`;
}

/** Throws if an installed package still depends on a path, a link or a workspace. */
function expectPublished(place) {
  for (const name of readdirSync(path.join(place, 'node_modules', scope))) {
    const manifest = json(path.join(place, 'node_modules', scope, name, 'package.json'));
    const versions = Object.values({ ...manifest.dependencies, ...manifest.peerDependencies });
    const local = versions.filter((one) => /^(file|link|workspace|git)|[/\\]/.test(one));
    if (local.length > 0) throw new Error(`${manifest.name} depends on ${local.join(', ')}.`);
  }
}

function tryOnOldNode(place, version) {
  const run = (node) => {
    mkdirSync(path.join(place, node));
    writeFileSync(path.join(place, node, 'package.json'), '{}');
    execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', `node@${node}`], {
      cwd: path.join(place, node),
    });
    const program = path.join(place, node, 'node_modules', 'node', 'bin', 'node');
    const entry = path.join(place, 'node_modules', scope, 'cli', 'bin.mjs');
    return spawnSync(program, [entry, '--version'], { encoding: 'utf8' });
  };
  expect(run(oldest).stdout.trim(), version);
  const refused = run(tooOld);
  expect(refused.status, 2);
  expect(refused.stderr.trim(), `tributary needs Node 20.15 or later; this is Node ${tooOld}.`);
}

function expect(seen, wanted) {
  if (seen !== wanted) throw new Error(`The release answers ${JSON.stringify(seen)}, not ${JSON.stringify(wanted)}.`);
}

function inEmptyFolder(use) {
  const folder = mkdtempSync(path.join(tmpdir(), 'release-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
