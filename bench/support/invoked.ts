import { fork } from 'node:child_process';
import { once } from 'node:events';
import * as v from 'valibot';

const Invoked = v.object({ result: v.unknown(), seconds: v.number(), cpuSeconds: v.number(), peakMiB: v.number() });
export type Invoked = v.InferOutput<typeof Invoked>;

/** Invokes the handler of a bundle once in its own process, as a deployed function is: its times and its peak memory. */
export async function invoked(file: string, event: unknown, nodeOptions: string): Promise<Invoked> {
  const child = fork(new URL('./invoked-process.ts', import.meta.url), [file], {
    serialization: 'advanced',
    env: { ...process.env, NODE_OPTIONS: nodeOptions },
  });
  child.send({ event });
  const [message] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  child.disconnect();
  return v.parse(Invoked, message);
}
