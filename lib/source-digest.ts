import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

/** A digest of the names and contents of sources, and of the versions of all dependencies. Throws where a source is not there. */
export async function sourceDigest(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of ['package-lock.json', ...files].toSorted())
    hash.update(`${file}\n`).update(await readFile(path.join(root, file)));
  return hash.digest('hex').slice(0, 16);
}

/** The digest of a program and of the sources that it reads, by their pattern. */
export async function digestOfMatching(program: string, pattern: string): Promise<string> {
  const files = [program];
  for await (const file of glob(pattern, { cwd: root })) files.push(file);
  return sourceDigest(files);
}
