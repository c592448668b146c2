import { randomBytes } from 'node:crypto';
import type { Message } from '@aws-sdk/client-sqs';

/** Lambda ends a chain that has come so often through one function. */
export const maxHops = 16;

/** The attribute of a message, and the header of the request that sent it, that tell of the way that led to it. */
const traceAttribute = 'AWSTraceHeader';

/** How often each function was passed, by name. */
type Hops = ReadonlyMap<string, number>;

const lineagePart = /(?:^|;)Lineage=([^;]*)/;

/** How often the way to the message led through the function. */
export const hopsOf = (message: Message, name: string): number => hopsIn(traceOf(message)).get(name) ?? 0;

/** The trace of an invocation for some messages: of the longest way to one of them, and a hop more. */
export function traceOfRun(batch: readonly Message[], name: string): string {
  const hops = new Map<string, number>();
  for (const message of batch)
    for (const [passed, times] of hopsIn(traceOf(message))) hops.set(passed, Math.max(times, hops.get(passed) ?? 0));
  hops.set(name, (hops.get(name) ?? 0) + 1);
  const passed = [...hops].map(([one, times]) => `${one}:${times}`).join('|');
  return `Root=1-${randomBytes(4).toString('hex')}-${randomBytes(12).toString('hex')};Lineage=${passed}`;
}

const traceOf = ({ MessageAttributes = {} }: Message): string => MessageAttributes[traceAttribute]?.StringValue ?? '';

const hopsIn = (trace: string): Hops =>
  new Map(
    (lineagePart.exec(trace)?.[1] ?? '').split('|').flatMap((part): [string, number][] => {
      const [name = '', times = ''] = part.split(':');
      return name === '' ? [] : [[name, Number(times)]];
    }),
  );
