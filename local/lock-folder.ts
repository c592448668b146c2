import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Fault } from '../shared/contract/fault.ts';
import { makeFolderPrivate } from './private.ts';

type FolderLock = { readonly release: () => void };

/**
 * Keeps a second service out of a data folder, and everybody else on the machine: it holds the issuer's key, tokens and
 * payloads. The operating system lets the lock go however this process ends.
 * @throws where another process holds it
 */
export async function lockFolder(folder: string | null): Promise<FolderLock> {
  if (folder === null) return { release: () => undefined };
  await mkdir(folder, { recursive: true });
  await makeFolderPrivate(folder);
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
