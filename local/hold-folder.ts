import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export type Held = { readonly release: () => void };

/**
 * Keeps a second service out of a data folder; the operating system lets it go however this process ends.
 * @throws where another process holds it
 */
export async function holdFolder(folder: string | null): Promise<Held> {
  if (folder === null) return { release: () => undefined };
  await mkdir(folder, { recursive: true });
  const lock = new DatabaseSync(path.join(folder, 'lock.sqlite'), { timeout: 0 });
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (cause) {
    throw new Error(`Another service keeps its state in ${folder}: stop it, or give another --data folder.`, { cause });
  }
  return { release: () => lock.close() };
}
