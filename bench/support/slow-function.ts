import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import * as v from 'valibot';
import { bundleFolder, type FunctionName, functionSpecs } from '../../lib/function-specs.ts';
import { nodeOptions } from '../../lib/functions.ts';

const Answer = v.object({ result: v.optional(v.unknown()), cpuSeconds: v.number(), peakMiB: v.number() });

export type SlowFunction = {
  readonly invoke: (event: unknown) => Promise<unknown>;
  readonly figures: () => {
    readonly runs: number;
    readonly timed_out: number;
    readonly longest_run_s: number;
    readonly cpu_s: number;
    readonly peak_mib: number;
  };
  readonly stop: () => void;
};

const periodMs = 50;

/**
 * A function in its own process that has a share of a processor, the memory and the time that are deployed: it is
 * stopped for the rest of each period, as a container is that has used up its share.
 */
export function slowFunction(name: FunctionName, share: number): SlowFunction {
  const spec = functionSpecs[name];
  const file = path.join(bundleFolder(name), 'index.mjs');
  const NODE_OPTIONS = nodeOptions(spec);
  const start = () =>
    fork(new URL('./slow-function-process.ts', import.meta.url), [file], { env: { ...process.env, NODE_OPTIONS } });
  let child = start();
  let ready: Promise<unknown> = once(child, 'message');
  const limiter = limitProcessor(() => child, share);
  const figures = { runs: 0, timed_out: 0, longest_run_s: 0, cpu_s: 0, peak_mib: 0 };
  return {
    figures: () => figures,
    stop: () => {
      clearInterval(limiter);
      child.kill('SIGKILL');
    },
    invoke: async (event) => {
      await ready;
      figures.runs++;
      const began = Date.now();
      const answer = await answerOf(child, event, began + spec.timeoutSeconds * 1_000);
      figures.longest_run_s = Math.max(figures.longest_run_s, (Date.now() - began) / 1_000);
      if (answer === null) {
        figures.timed_out++;
        child.kill('SIGKILL');
        child = start();
        ready = once(child, 'message');
        throw new Error(`${name} took longer than ${spec.timeoutSeconds} s`);
      }
      figures.cpu_s = answer.cpuSeconds;
      figures.peak_mib = Math.max(figures.peak_mib, answer.peakMiB);
      return answer.result;
    },
  };
}

/** Lets a process run for a share of each period. */
const limitProcessor = (child: () => ChildProcess, share: number): NodeJS.Timeout =>
  setInterval(() => {
    child().kill('SIGCONT');
    if (share < 1) setTimeout(() => child().kill('SIGSTOP'), periodMs * share);
  }, periodMs);

/** Null where its time was over. */
async function answerOf(child: ChildProcess, event: unknown, deadline: number) {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), deadline - Date.now());
  try {
    child.send({ event, deadline });
    const [message] = await Promise.race([
      once(child, 'message', { signal: over.signal }),
      once(child, 'exit', { signal: over.signal }),
    ]);
    return v.parse(Answer, message);
  } catch (error) {
    if (over.signal.aborted) return null;
    throw error;
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}
