import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../../shared/contract/problems.ts';
import { acceptPosthogBatch } from '../../../shared/domain/events/accept-batch.ts';
import { collectionPorts, collectRequest } from '../../support/collection-ports.ts';
import { withoutSent } from '../../support/without-sent.ts';

const folder = new URL('../../../../shared/posthog/given/', import.meta.url);
const isRoute = (path: string) => /^\/collect\/(e|i\/v0\/e|batch)\/?$/.test(path);

/** A recorded event without an id or a time gets them from the service. */
const withoutAssigned = (event: Record<string, unknown>, native: Record<string, unknown>) => {
  const { sent_at: _, ...rest } = event;
  if (native['id'] === null) rest['id'] = null;
  if (native['timestamp'] === undefined) delete rest['timestamp'];
  // The recordings tell the moment, events keep the text as it was sent.
  else rest['timestamp'] = new Date(String(rest['timestamp'])).toISOString();
  return rest;
};

describe.skipIf(!existsSync(folder))('recorded PostHog traffic', () => {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  const recordings = files.map((name) => ({ name, ...JSON.parse(readFileSync(new URL(name, folder), 'utf8')) }));

  it.each(recordings.filter(({ path }) => isRoute(path)))(
    '$name is answered and mapped as expected',
    async (recording) => {
      const ports = collectionPorts();
      const { headers, query, expected } = recording;
      const request = collectRequest(Buffer.from(recording.body_base64, 'base64'), { headers, query });
      const outcome = await answer(() => acceptPosthogBatch(ports, request));
      expect(outcome.status).toBe(expected.status);
      if (expected.status !== 200) return expect(ports.accepted).toEqual([]);
      expect(outcome.received).toBe(expected.receipt.received);
      const stored = ports.accepted.flatMap(({ lines }) => lines.map((line) => JSON.parse(line)));
      if (expected.native_events !== null) {
        expect(stored.map((event, i) => withoutSent(withoutAssigned(event, expected.native_events[i])))).toEqual(
          expected.native_events,
        );
      }
      if (expected.sent_at) expect(stored.every((event) => event.sent_at === expected.sent_at)).toBe(true);
    },
  );
});

async function answer(accept: () => Promise<{ received: number }>): Promise<{ status: number; received?: number }> {
  try {
    return { status: 200, received: (await accept()).received };
  } catch (error) {
    if (error instanceof Problem) return { status: error.status };
    throw error;
  }
}
