import { fork } from 'node:child_process';
import { once } from 'node:events';
import * as v from 'valibot';

const Invoked = v.object({ result: v.unknown(), seconds: v.number(), cpuSeconds: v.number(), peakMiB: v.number() });
export type Invoked = v.InferOutput<typeof Invoked>;

/** Invokes the handler of a bundle once in a process of its own, as a deployed function is: its times and its peak memory. */
export async function invoked(file: string, event: unknown, heapMiB?: number): Promise<Invoked> {
  const child = fork(new URL('./invoked-process.ts', import.meta.url), [file], {
    serialization: 'advanced',
    // Collected garbage is as late as the heap may be large: on a large machine a peak says little.
    execArgv: heapMiB === undefined ? [] : [`--max-old-space-size=${heapMiB}`],
  });
  child.send({ event });
  const [message] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  child.disconnect();
  return v.parse(Invoked, message);
}
