import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { WorkspaceId } from '../../../shared/contract/ids.ts';
import { Fault } from '../../../shared/contract/problems.ts';
import { readPayload } from '../../../shared/domain/lineage/ingest/deliveries/read-payload.ts';
import { anyDelivery } from '../../support/new-deliveries.ts';

const received = anyDelivery('w-payload' as WorkspaceId, 'dbt_manifest');
const text = '{"models":["größe"]}';
const bytes = Buffer.from(text);

function read(stored: Uint8Array | Error, maxBytes: number, content_encoding: 'gzip' | null = null) {
  const stream = async () => {
    if (stored instanceof Error) throw stored;
    return chunksOf(stored);
  };
  const delivery = { ...received, payload: { ...received.payload, content_encoding } };
  return readPayload({ payloads: { stream } }, delivery, maxBytes);
}

/** As a store streams them: a character may be in two of them. */
async function* chunksOf(whole: Uint8Array) {
  for (let at = 0; at < whole.length; at += 7) yield whole.subarray(at, at + 7);
}

describe('a payload that is read again', () => {
  it('is its JSON if it has at most the allowed bytes, compressed or not', async () => {
    const whole = { kind: 'read', body: JSON.parse(text) };
    expect(await read(bytes, bytes.length)).toEqual(whole);
    expect(await read(gzipSync(bytes), 1_024, 'gzip')).toEqual(whole);
  });

  it('is too large with one more byte, as received or inflated', async () => {
    expect(await read(bytes, bytes.length - 1)).toEqual({ kind: 'too_large' });
    const zeros = gzipSync(JSON.stringify('0'.repeat(998)));
    expect(await read(zeros, 1_000, 'gzip')).toMatchObject({ kind: 'read' });
    expect(await read(zeros, 999, 'gzip')).toEqual({ kind: 'too_large' });
  });

  it("is missing only if the store has no such object: other failures are the worker's to retry", async () => {
    expect(await read(new Fault('payload_missing', 'gone'), 9)).toEqual({ kind: 'missing' });
    await expect(read(new Error('the store is busy'), 9)).rejects.toThrow('the store is busy');
    await expect(read(bytes, 99, 'gzip')).rejects.toThrow('header');
  });
});
