import { statfs } from 'node:fs/promises';

const fullBelowBytes = 1024 * 1024;
const minIntervalMs = 10_000;

/** Logs that the disk is full, where it is: stores that fail for it only say that they fail. To be called after a failure. */
export function fullDiskReport(folder: string | null, log: (line: string) => void): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY;
  return async () => {
    if (folder === null || performance.now() - last < minIntervalMs) return;
    last = performance.now();
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < fullBelowBytes) log(`The disk that holds ${folder} is full: nothing can be stored.`);
  };
}
