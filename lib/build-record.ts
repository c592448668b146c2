import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { sourceDigest } from './source-digest.ts';

const root = path.resolve(import.meta.dirname, '..');

const BuildRecord = v.object({ names: v.array(v.string()), sources: v.array(v.string()), digest: v.string() });

const recordIn = (folder: string): string => path.resolve(root, folder, '.made-of.json');

/** Whether the named bundles are what their sources and dependencies would give again. */
export async function isCurrent(folder: string, names: readonly string[]): Promise<boolean> {
  try {
    const built = v.parse(BuildRecord, JSON.parse(await readFile(recordIn(folder), 'utf8')));
    for (const name of names) await stat(path.resolve(root, folder, name, 'index.mjs'));
    return built.names.join() === names.join() && built.digest === (await sourceDigest(built.sources));
  } catch {
    return false; // Never made, or a source or a bundle is gone.
  }
}

/** Forgets what a folder was made of, before something else is written there. */
export const forgetRecord = (folder: string): Promise<void> => rm(recordIn(folder), { force: true });

/**
 * Records what bundles were made of.
 *
 * @param sources what they hold, by its path in the project
 * @param began when they were begun, in milliseconds: a source that changed since may not be in them
 */
export async function recordSources(
  folder: string,
  names: readonly string[],
  { sources, began }: { readonly sources: readonly string[]; readonly began: number },
): Promise<void> {
  const times = await Promise.all(sources.map(async (file) => (await stat(path.join(root, file))).mtimeMs));
  if (times.some((changed) => changed >= began)) return;
  await writeFile(recordIn(folder), JSON.stringify({ names, sources, digest: await sourceDigest(sources) }));
}
