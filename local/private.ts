import { execFile } from 'node:child_process';
import { chmod, readdir } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

export async function makeFolderPrivate(folder: string): Promise<void> {
  if (process.platform === 'win32') return grantOwner(folder, '(OI)(CI)F');
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (!entry.isSymbolicLink())
      await chmod(path.join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
}

/** Keeps a file that was written with mode 0600 from everybody else where modes mean nothing. */
export async function makeFilePrivate(file: string): Promise<void> {
  if (process.platform === 'win32') await grantOwner(file, 'F');
}

async function grantOwner(place: string, rights: string): Promise<void> {
  await promisify(execFile)('icacls', ownerGrant(place, userInfo().username, rights));
}

/** What `icacls` is to do: nothing is inherited, and nobody but the user and the system has rights. */
export const ownerGrant = (place: string, user: string, rights: string): string[] => [
  place,
  '/inheritance:r',
  '/grant:r',
  `${user}:${rights}`,
  `*S-1-5-18:${rights}`,
];
