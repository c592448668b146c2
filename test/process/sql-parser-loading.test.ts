import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Context, SQSBatchResponse } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { bundleFunctions } from '../../lib/bundle-functions.ts';
import type { QueueHandler } from '../../shared/runtime/queue.ts';
import { type LineagePlace, type LineageWorld, startLineageWorld } from '../support/lineage-world.ts';

let folder: string;
let world: LineageWorld;
let place: LineagePlace;
let handler: QueueHandler | undefined;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'bundle-'));
  await bundleFunctions(['projector'], folder);
  world = await startLineageWorld(work);
  place = await world.place();
});
afterAll(async () => {
  await world.stop();
  await rm(folder, { recursive: true });
});

/** As the event source hands a message to the deployed function, whose bundle reads its environment when it is loaded. */
async function work(message: unknown): Promise<SQSBatchResponse> {
  const bundle = pathToFileURL(path.join(folder, 'projector', 'index.mjs')).href;
  handler ??= (await import(/* @vite-ignore */ bundle)).handler as QueueHandler;
  const record = { messageId: 'm', body: JSON.stringify(message), attributes: { ApproximateReceiveCount: '1' } };
  const answer = await handler(
    { Records: [record] } as never,
    { awsRequestId: 'r', functionName: 'projector', getRemainingTimeInMillis: () => 900_000 } as Context,
  );
  expect(answer.batchItemFailures).toEqual([]);
  return answer;
}

/** A manifest of one model over one source. */
const manifestWith = (compiled_code: string | null) => ({
  metadata: { adapter_type: 'postgres' },
  sources: { 'source.crm.raw': { database: 'crm', schema: 'raw', name: 'accounts', identifier: 'accounts' } },
  nodes: {
    'model.crm.accounts': {
      resource_type: 'model',
      database: 'crm',
      schema: 'core',
      alias: 'accounts',
      compiled_code,
      depends_on: { nodes: ['source.crm.raw'] },
    },
  },
});
const dataset = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:postgres,crm.core.${name},PROD)`;

describe('the SQL parser in the bundle of the projection', () => {
  it('is loaded once, when the first statement comes, and not for deliveries without one', async () => {
    const instantiate = vi.spyOn(Reflect.get(globalThis, 'WebAssembly'), 'instantiate');
    const catalog = [{ upstreamUrn: dataset('a'), downstreamUrn: dataset('b') }];
    expect((await place.declare('/v1/lineage/datahub', { export: catalog })).status).toBe(202);
    expect((await place.declare('/v1/lineage/dbt/manifest', { manifest: manifestWith(null) })).status).toBe(202);
    expect(handler).toBeDefined();
    expect(instantiate).not.toHaveBeenCalled();

    for (const column of ['id', 'owner'])
      await place.declare('/v1/lineage/dbt/manifest', {
        manifest: manifestWith(`select ${column} from crm.raw.accounts`),
      });
    expect(instantiate).toHaveBeenCalledOnce();

    const { json } = await place.ask('/v1/lineage/impact', {
      relation_ref: 'crm.core.accounts',
      column_ref: 'owner',
      direction: 'upstream',
    });
    expect(json.column_lineage.paths).toContainEqual(
      expect.objectContaining({ upstream: { relation_ref: 'crm.raw.accounts', column: 'owner' } }),
    );
  });
});
