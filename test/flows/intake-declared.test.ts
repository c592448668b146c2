import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { DeliveryId, WorkspaceId } from '../../shared/contract/ids.ts';
import type { Completeness } from '../../shared/contract/vocabulary.ts';
import { canonicalDigest } from '../../shared/domain/base/digest.ts';
import { acceptDeclared, type DeclaredReceipt } from '../../shared/domain/lineage/ingest/accept-declared.ts';
import type { AcquisitionBody, AcquisitionTool } from '../../shared/domain/lineage/ingest/acquisition.ts';
import { payloadOf } from '../../shared/domain/lineage/ingest/open-delivery.ts';
import { drainQueue, intakePorts, type TestPorts } from '../support/intake-ports.ts';
import { provideStores } from '../support/provide-stores.ts';

provideStores();
let ports: TestPorts;
let workspace: WorkspaceId;
beforeEach(async () => {
  workspace = `w-${randomUUID()}` as WorkspaceId;
  ports = intakePorts();
  await drainQueue();
});

type Body = AcquisitionBody & { readonly export: readonly unknown[]; readonly project_id?: string };

/** A tool whose items are fine where they are strings. */
const tool: AcquisitionTool<Body, { observations: number }> = {
  kind: 'dbt_manifest',
  document: 'export',
  displayName: 'Manifest',
  scopeOf: ({ project_id }) => ({
    name: `dbt-project:${project_id ?? 'default'}`,
    given: project_id !== undefined,
    path: '/project_id',
  }),
  fieldErrors: () => [],
  linkedProject: ({ project_id }) => project_id ?? null,
  read: (body) => {
    const bad = body.export.flatMap((one, index) => (typeof one === 'string' ? [] : [index]));
    return {
      itemCount: body.export.length,
      invalidItems: bad.map((index) => ({ index, code: 'invalid', errors: [] })),
      shapeErrors: bad.map((index) => ({ path: `/export/${index}`, message: 'must be a string' })),
      otherFile: null,
      platforms: [],
      counts: { observations: body.export.length },
    };
  },
};

type Extra = Partial<Omit<Body, 'completeness'>> & { readonly completeness?: Completeness; readonly header?: string };
const body = ({ header: _, ...extra }: Extra): Body => ({
  connector_id: 'warehouse',
  completeness: 'partial',
  export: ['a'],
  ...extra,
});
const accept = async (extra: Extra = {}): Promise<DeclaredReceipt<{ observations: number }>> =>
  acceptDeclared(ports, tool, {
    workspace,
    body: body(extra),
    documentDigest: canonicalDigest(body(extra).export),
    idempotencyKey: extra.header ?? null,
    payload: payloadOf(ports, {
      bytes: new TextEncoder().encode(JSON.stringify(body(extra))),
      contentType: 'application/json',
      contentEncoding: null,
    }),
  });
const used = async (extra: Extra = {}) => {
  const receipt = await accept(extra);
  if (!receipt.accepted) throw new Error('skipped');
  return receipt;
};
const complete = (extra: Extra = {}) =>
  used({ completeness: 'complete', project_id: 'linked', source_event_key: randomUUID(), ...extra });
const stored = (id: string) => ports.deliveries.get(workspace, id as DeliveryId);

describe('acceptance', () => {
  it('answers with the counts, the scope and whether it was dispatched, and keeps its order (C-DECLARED-2)', async () => {
    const receipt = await used({ project_id: 'linked' });
    expect(receipt).toEqual({
      ok: true,
      delivery_id: expect.any(String),
      status: 'accepted',
      accepted: true,
      duplicate: false,
      item_count: 1,
      invalid_item_count: 0,
      dispatch_requested: true,
      completeness: 'partial',
      scope_key: 'connector:warehouse:dbt-project:linked',
      observations: 1,
    });
    const [first, second] = [await stored(receipt.delivery_id), await stored((await complete()).delivery_id)];
    expect(first).toMatchObject({ kind: 'dbt_manifest', completeness: 'partial', provider_type: 'dbt_manifest' });
    expect((second?.order ?? '') > (first?.order ?? '~')).toBe(true);
  });

  it('says if its message was not sent, and leaves the delivery open for the sweep (C-DECLARED-11)', async () => {
    const send = vi.spyOn(ports.queue, 'send').mockRejectedValueOnce(new Error('down'));
    const receipt = await used({ export: ['unsent'] });
    send.mockRestore();
    expect(receipt).toMatchObject({ accepted: true, dispatch_requested: false });
    expect(await stored(receipt.delivery_id)).toMatchObject({ state: 'accepted' });
  });

  it('makes one delivery of fifty identical requests at once (C-INGEST-5)', async () => {
    const receipts = await Promise.all(Array.from({ length: 50 }, () => used({ source_event_key: 'k' })));
    expect(new Set(receipts.map((receipt) => receipt.delivery_id)).size).toBe(1);
    expect(receipts.filter((receipt) => !receipt.duplicate)).toHaveLength(1);
  });

  it('skips while the feed is paused or disabled, before anything is kept (C-INGEST-11)', async () => {
    const first = await stored((await used()).delivery_id);
    if (!first) throw new Error('not kept');
    await drainQueue();
    for (const status of ['paused', 'disabled'] as const) {
      await ports.providers.setStatus(workspace, first.provider_instance_id, status, new Date().toISOString());
      expect(await accept({ export: ['b'] })).toEqual({ ok: true, accepted: false, skipped: `provider_${status}` });
    }
    expect(await drainQueue()).toEqual([]);
  });
});

describe('what is refused', () => {
  it.each([
    [{ connector_id: 'nobody' }, 'validation_error', '/connector_id'],
    [{ project_id: 'unknown' }, 'not_found', '/project_id'],
    [{ completeness: 'complete', source_event_key: 'k' }, 'lineage_snapshot_invalid', '/project_id'],
    [{ completeness: 'complete', project_id: 'linked' }, 'lineage_snapshot_invalid', '/source_event_key'],
    [
      { completeness: 'complete', project_id: 'linked', source_event_key: 'k', export: ['a', 5] },
      'lineage_snapshot_invalid',
      '/export/1',
    ],
    [{ source_event_key: 'k', header: 'other' }, 'lineage_idempotency_conflict', '/source_event_key'],
  ] satisfies [Extra, string, string][])(
    '%j is %s at %s (C-INGEST-13, C-INGEST-9, C-DECLARED-4, C-DECLARED-5, C-DECLARED-10)',
    async (extra, code, path) => {
      await expect(accept(extra)).rejects.toMatchObject({ code, errors: [{ path }] });
      expect(
        (await ports.deliveries.list(workspace, { state: null, connectorId: null, limit: 5, after: null })).items,
      ).toEqual([]);
    },
  );

  it('is nothing in a partial delivery that has items which cannot be read (C-DECLARED-5)', async () => {
    expect(await used({ export: ['a', 5] })).toMatchObject({ item_count: 2, invalid_item_count: 1 });
  });
});

describe('keys', () => {
  it('come by header or field, and hold for the route, whatever its connector (C-INGEST-4, C-INGEST-5)', async () => {
    const first = await used({ source_event_key: 'k' });
    expect(await used({ header: 'k' })).toMatchObject({ delivery_id: first.delivery_id, duplicate: true });
    expect(await used({ header: 'k', source_event_key: 'k' })).toMatchObject({ duplicate: true });
    await expect(accept({ header: 'k', connector_id: 'lake' })).rejects.toMatchObject({
      code: 'lineage_provider_scope_conflict',
    });
    await expect(accept({ header: 'k', export: ['b'] })).rejects.toMatchObject({
      code: 'lineage_idempotency_conflict',
    });
  });

  it('make the same complete snapshot under a new key a new delivery (C-INGEST-7)', async () => {
    const [first, second] = [await complete(), await complete()];
    expect(second.delivery_id).not.toBe(first.delivery_id);
  });
});

it('without a key, the same partial content is a duplicate exactly until a complete snapshot of its scope (C-INGEST-8)', async () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('partial' as const), content: fc.constantFrom('a', 'b') }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('complete' as const), retried: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('elsewhere' as const) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      workspace = `w-${randomUUID()}` as WorkspaceId;
      let since = new Map<string, string>();
      for (const one of steps) {
        if (one.kind === 'partial') {
          const { delivery_id, duplicate } = await used({ project_id: 'linked', export: [one.content] });
          expect(duplicate).toBe(since.has(one.content));
          expect(delivery_id).toBe(since.get(one.content) ?? delivery_id);
          since.set(one.content, delivery_id);
        } else if (one.kind === 'complete') {
          const source_event_key = randomUUID();
          await complete({ source_event_key });
          since = new Map();
          if (one.retried) expect(await complete({ source_event_key })).toMatchObject({ duplicate: true });
        } else await complete({ connector_id: 'lake' });
      }
    }),
    { numRuns: 20 },
  );
});
