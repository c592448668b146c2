import { chmod, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Fault } from '../shared/contract/fault.ts';

type FolderLock = { readonly release: () => void };

/**
 * Keeps a second service out of a data folder; the operating system lets it go however this process ends.
 * @throws where another process holds it
 */
export async function lockFolder(folder: string | null): Promise<FolderLock> {
  if (folder === null) return { release: () => undefined };
  await mkdir(folder, { recursive: true });
  await makePrivate(folder);
  const lock = new DatabaseSync(path.join(folder, 'lock.sqlite'), { timeout: 0 });
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (cause) {
    throw new Fault(
      'folder_in_use',
      `Another service keeps its state in ${folder}: stop it, or give another --data folder.`,
      { cause },
    );
  }
  return { release: () => lock.close() };
}

/** It holds the issuer's key, tokens and payloads: nobody else on the machine may read what earlier runs left there. */
async function makePrivate(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (!entry.isSymbolicLink())
      await chmod(path.join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
}
