// The project's own Node, which runs TypeScript; the Node that started a script may be older, and a shell remembers where it found that.
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '..');
export const projectNode = path.join(
  root,
  'node_modules',
  'node',
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);
