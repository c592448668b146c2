// What the threads of a local service still hold when their garbage is collected: stores hold data, other threads must not grow.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';

const data = 'objects and queues';
const mebibytes = (bytes) => Math.round((bytes / 2 ** 20) * 10) / 10;
/** What caches may still fill up by in the second half, in MiB and as a share. */
const [allowedMib, allowedShare] = [16, 0.1];

/** Measures at each of `parts` equal parts of a count of requests. `options` are those of a service; `isFlat` is about the second half. */
export function threadMeasurement(requests, parts = 6) {
  const folder = mkdtempSync(path.join(tmpdir(), 'threads-'));
  const file = path.join(folder, 'held.jsonl');
  const found = [];
  return {
    options: {
      first: ['--expose-gc', '--import', new URL('./memory-of-threads.mjs', import.meta.url).href],
      variables: { MEMORY_OF_THREADS: file },
    },
    after: async (count, pid) => {
      if (count < ((found.length + 1) * requests) / parts) return;
      const threads = await heldBy(pid, file);
      const held = [...threads].reduce((sum, [name, bytes]) => sum + (name === data ? 0 : bytes), 0);
      found.push({ threads, held });
      const line = {
        bench: 'service-memory',
        requests: count,
        held_mib: mebibytes(held),
        data_mib: mebibytes(threads.get(data) ?? 0),
      };
      console.log(JSON.stringify(line));
    },
    isFlat: () => {
      rmSync(folder, { recursive: true });
      const [half, last] = [found[Math.floor(parts / 2) - 1], found.at(-1)];
      if (half === undefined || last === undefined) return false;
      const grown = last.held - half.held;
      const of = [...last.threads].map(([name, bytes]) => ({
        name,
        mib: mebibytes(bytes - (half.threads.get(name) ?? 0)),
      }));
      const most = of.sort((a, b) => b.mib - a.mib).slice(0, 5);
      console.log(JSON.stringify({ bench: 'service-memory', grown_mib: mebibytes(grown), most }));
      return grown <= allowedMib * 2 ** 20 + allowedShare * half.held;
    },
  };
}

/** The bytes that the threads of each name hold. */
async function heldBy(pid, file) {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  const read = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  // A busy thread answers later.
  for (let [before, same] = ['', 0]; same < 5; await setTimeout(400)) {
    same = before === read() && before !== '' ? same + 1 : 0;
    before = read();
  }
  const held = new Map();
  for (const line of read().trim().split('\n')) {
    const { name, bytes } = JSON.parse(line);
    held.set(name, (held.get(name) ?? 0) + bytes);
  }
  return held;
}
