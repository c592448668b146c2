const mebibytes = (count: number) => Math.round(count / 2 ** 20);

/** What the process holds: its resident set, and, where Node runs with `--expose-gc`, the heap that is really in use. */
export function memoryNow(): { readonly rss_mib: number; readonly heap_mib: number } {
  const rss = process.memoryUsage.rss();
  globalThis.gc?.();
  return { rss_mib: mebibytes(rss), heap_mib: mebibytes(process.memoryUsage().heapUsed) };
}
