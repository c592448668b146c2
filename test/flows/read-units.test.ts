import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { dynamodb } from '../../shared/adapters/aws.ts';
import { batchGet } from '../../shared/adapters/dynamodb/requests/items.ts';
import { chargedReading, metered, metering } from '../../shared/adapters/dynamodb/requests/metered.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import type { UserId, WorkspaceId } from '../../shared/contract/ids.ts';
import { limits } from '../../shared/contract/limits.ts';
import { Problem } from '../../shared/contract/problems.ts';
import { defaultPolicy } from '../../shared/domain/lineage/policy/policy.ts';
import { httpPorts } from '../../shared/runtime/composition/intake.ts';
import { responder } from '../../shared/runtime/http.ts';
import { request, startAccessWorld } from '../support/access-world.ts';
import { gathered } from '../support/gathered.ts';
import { provideForAll } from '../support/provide.ts';

const world = provideForAll(startAccessWorld);
const { caller, counted } = limits.readUnits;
const now = Date.parse('2026-11-24T12:00:00Z');

/** Work that reads some units of the store, or fails after that. */
const reading = async (units: number): Promise<Record<string, never>> => {
  // One read of an item that is not there costs half a unit.
  const keys = Array.from({ length: 2 * units }, () => ({ pk: `none ${randomUUID()}`, sk: 'none' }));
  await batchGet({ ...world.table, client: metered(dynamodb()) }, keys);
  return {};
};

describe('read units (C-LIMIT-12)', () => {
  const readers = (['one', 'other'] as const).map((name) => ({
    workspace: `ws_${randomUUID()}` as WorkspaceId,
    caller: name as UserId,
  }));
  const [one = never(), other = never()] = readers;
  const neighbour = { ...one, caller: 'neighbour' as UserId };

  it('are charged to the caller, who gets 429 until the share is refilled, while other callers continue', async () => {
    const { readUnits } = httpPorts();
    const read = () => readUnits.counted(one, now, () => reading(counted));
    expect(readUnits.wait(one, now)).toBeNull();
    for (let taken = 0; taken <= caller.burst; taken += counted) await read();
    expect(readUnits.wait(one, now)).toBe(1);
    expect([readUnits.wait(neighbour, now), readUnits.wait(other, now)]).toEqual([null, null]);
    expect(readUnits.wait(one, now + 1_000)).toBeNull();
    // Another process learns of it when it charges what it let in.
    const process = httpPorts().readUnits;
    expect(process.wait(one, now)).toBeNull();
    await process.counted(one, now, () => reading(counted));
    expect(process.wait(one, now)).toBe(1);
  });

  it('are counted for failed requests and for streams, and not for small answers', async () => {
    const charges: number[] = [];
    const charged = <R extends { readonly bytes?: unknown }>(work: () => Promise<R>) =>
      chargedReading(work, async (units) => void charges.push(units));
    // A meter within counts for the one around it too.
    await charged(async () => (await metering(() => reading(3))).answer);
    await expect(charged(() => reading(2).then(() => Promise.reject(new Error('refused'))))).rejects.toThrow('refused');
    const streaming = async function* () {
      yield 'a';
      await reading(4);
      yield 'b';
    };
    const { bytes } = await charged(async () => ({ bytes: streaming() }));
    expect(charges).toEqual([3, 2]);
    expect(await gathered(bytes)).toEqual(['a', 'b']);
    expect(charges).toEqual([3, 2, 4]);
  });

  it('are limited to a share: each read of the graph beyond it is 429 with the seconds to wait, and no other request', async () => {
    const { id } = await world.workspace('units');
    const { token } = await world.token(id, 'units-admin', ['read', 'write', 'admin']);
    const ports = { ...httpPorts(), readUnits: { ...httpPorts().readUnits, wait: () => 7 } };
    const { listConnectors, previewPolicy, runCheck, createUpload } = routes;
    const used = { listConnectors, previewPolicy, runCheck, createUpload };
    const notCalled = () => Promise.reject(new Problem('conflict'));
    const implementations = {
      listConnectors: notCalled,
      previewPolicy: notCalled,
      runCheck: notCalled,
      createUpload: notCalled,
    };
    const respond = responder(used, implementations, ports);
    const refused = async (method: string, path: string, parts: Parameters<typeof request>[2]) => {
      const { status, headers } = await respond(request(method, path, { token, ...parts }));
      return [status, headers['retry-after']];
    };
    const body = { workspace_id: id };
    expect(await refused('GET', listConnectors.path, { query: body })).toEqual([429, '7']);
    const params = { connector_id: `con_${'0'.repeat(20)}`, check_id: `chk_${'0'.repeat(20)}` };
    const preview = { ...body, filters: defaultPolicy.filters };
    expect(await refused('POST', previewPolicy.path, { params, body: preview })).toEqual([429, '7']);
    expect(await refused('POST', runCheck.path, { params, body })).toEqual([429, '7']);
    const upload = { ...body, kind: 'dbt_manifest', content_length: 1, sha256: '0'.repeat(64) };
    expect(await refused('POST', createUpload.path, { body: upload })).toEqual([409, undefined]);
  });
});

function never(): never {
  throw new Error('no reader');
}
