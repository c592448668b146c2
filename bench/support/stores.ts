import { fork } from 'node:child_process';
import { once } from 'node:events';
import * as v from 'valibot';

const Environment = v.record(v.string(), v.string());

/** Starts emulators beside this process, in memory or in an empty folder, and points its adapters at them. */
export async function startStoresProcess(
  folder?: string,
): Promise<{ readonly stop: () => void; readonly pid: number }> {
  const child = fork(new URL('./stores-process.ts', import.meta.url), folder === undefined ? [] : [folder], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [environment] = await once(child, 'message');
  Object.assign(process.env, v.parse(Environment, environment));
  return { stop: () => child.disconnect(), pid: child.pid ?? 0 };
}
