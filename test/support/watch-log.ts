import { afterAll, expect } from 'vitest';
import { leakOf, logged } from './log-rules.ts';

// Runs before every test file, and holds all that the file's processes and threads print to the rules of log lines.

const lines: string[] = [];

/** What was printed since the file began. */
export const printed = (): readonly string[] => lines;

const watches = [process.stdout, process.stderr].map(watch);

afterAll(() => {
  // The next file may run in the same process, and watches for itself.
  for (const stop of watches) stop();
  const leaks = new Set(lines.map(leakOf).filter((leak) => leak !== null));
  expect([...leaks], 'log lines').toEqual([]);
});

/** Answers how to stop. */
function watch(stream: NodeJS.WriteStream): () => void {
  const unwatched = stream.write;
  const write = unwatched.bind(stream);
  let rest = '';
  stream.write = (chunk: string | Uint8Array, ...more: never[]): boolean => {
    const text = `${rest}${typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()}`;
    const whole = text.split('\n');
    rest = whole.pop() ?? '';
    lines.push(...whole);
    // The service's own lines would drown the report of the tests.
    const shown = whole.filter((line) => logged(line) === null);
    if (shown.length > 0) write(`${shown.join('\n')}\n`);
    const [done] = more.filter((one) => typeof one === 'function') as (() => void)[];
    if (done) process.nextTick(done);
    return true;
  };
  return () => {
    stream.write = unwatched;
  };
}
