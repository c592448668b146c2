import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import {
  idOf,
  type ModelsManifest,
  modelsManifest,
  noise,
  relationOf,
  withLessRead,
} from '../../bench/support/models-manifest.ts';
import { s3 } from '../../shared/adapters/aws.ts';
import { deleteObject, keysIn } from '../../shared/adapters/s3/bucket.ts';
import type { EdgeExplanation } from '../../shared/contract/explain.ts';
import { rawPrefix } from '../../shared/contract/lake.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { objectReadsOf } from '../support/object-reads.ts';
import { provideForAll } from '../support/provide.ts';
import { removeDerivations } from '../support/removed-derivations.ts';
import { runs } from '../support/runs.ts';

const world = provideForAll(startLineageWorld);
let place: LineagePlace;
beforeEach(async () => {
  place = await world.place();
});

const take = async (manifest: ModelsManifest, completeness = 'complete') => {
  const body = { manifest, completeness, project_id: 'crm', source_event_key: randomUUID() };
  const { status } = await place.declare('/v1/lineage/dbt/manifest', body);
  expect(status).toBe(202);
};

/** The moment of the newest answer, after which everything that follows happens. */
async function moment(): Promise<string> {
  const { json } = await place.ask('/v1/lineage/impact', { relation_ref: relationOf(0) });
  for (;;) if (new Date().toISOString() > json.as_of) return json.as_of;
}

async function answered(path: string, query: Record<string, string>) {
  const { status, json } = await place.ask(path, query);
  expect(status, JSON.stringify(json)).toBe(200);
  return { ...json, as_of: null, cost: null };
}
const explain = (from: number, to: number, at: object = {}) =>
  answered('/v1/lineage/edges/explain', { upstream: relationOf(from), downstream: relationOf(to), ...at });
const diff = (from: string, to: string) => answered('/v1/lineage/diff', { from, to });

it('explains an edge, and compares past columns, from a part of a large document', async () => {
  const manifest = modelsManifest({ models: 50, sqlBytes: 9_000, noteBytes: 15_000 });
  await take(manifest);
  const before = await moment();
  await take(withLessRead(manifest, 42));
  const after = await moment();
  const [explained, compared, past] = [
    await objectReadsOf(() => explain(41, 42)),
    await objectReadsOf(() => diff(before, after)),
    await objectReadsOf(() => explain(41, 42, { as_of: before })),
  ];
  expect(explained.answer.evidence[0].sql.text).toMatch(/^select a\.id as id, a\.v as v/);
  expect(explained.answer.evidence[0].delivery.payload.item_index).toBe(42);
  expect(past.answer.evidence[0].sql.text).toMatch(/^select a\.id as id, a\.v \+ b\.v as v/);
  expect(compared.answer.columns).toMatchObject([{ change: 'changed', relation_ref: relationOf(42), column: 'v' }]);
  expect(JSON.stringify(manifest).length).toBeGreaterThan(1_200_000);
  expect(explained.reads.length).toBeGreaterThan(0);
  for (const { reads } of [explained, compared, past]) {
    expect(reads.filter(({ key }) => !key.endsWith('.derivations'))).toEqual([]);
    // A question is answered again where its snapshot has just taken effect: what is read again is the same.
    const distinct = new Map(reads.map((read) => [`${read.key} ${read.bytes}`, read.bytes]));
    // Past columns may still stand beside the detail that took their place: then nothing is read.
    expect(distinct.size).toBeLessThanOrEqual(2);
    // The index with its neighbours, and one block.
    expect([...distinct.values()].reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan((64 + 128) * 1_024);
  }
  expect(await removeDerivations(place.workspace)).toBe(2);
  const whole = await objectReadsOf(() => explain(41, 42));
  expect(whole.answer).toEqual(explained.answer);
  expect(new Set(whole.reads.map(({ key }) => key.startsWith(rawPrefix)))).toEqual(new Set([true]));
  expect(await diff(before, after)).toEqual(compared.answer);
  await removePayloads(place.workspace);
  const [{ columns, sql, delivery }] = (await explain(41, 42)).evidence;
  expect([columns.length, sql, delivery.payload.unread_reason]).toEqual([3, null, 'payload_not_kept']);
});

/** As an operator may, by hand. */
async function removePayloads(workspace: string): Promise<void> {
  const bucket = { client: s3(), name: process.env['RAW_BUCKET'] ?? '' };
  for await (const key of keysIn(bucket, { Prefix: `${rawPrefix}${workspace}/` })) await deleteObject(bucket, key);
}

/** A project where any model may be a seed, a view or inlined, read any earlier one, and lack its statement. */
const project = fc
  .array(
    fc.record({
      reads: fc.uniqueArray(fc.nat(6), { maxLength: 3 }),
      kind: fc.constantFrom('table', 'table', 'view', 'ephemeral', 'incremental'),
      statement: fc.constantFrom('compiled_code', 'compiled_code', 'compiled_sql', 'raw_code'),
      star: fc.boolean(),
      long: fc.boolean(),
    }),
    { minLength: 4, maxLength: 7 },
  )
  .map((models): ModelsManifest => {
    const named = models.map(({ reads, kind, statement, star, long }, n) => {
      const before = reads.filter((one) => one < n);
      const from = before.map((one, i) => `${i === 0 ? ' from' : ' cross join'} "crm"."core"."m${one}" t${i}`).join('');
      const columns = before.length === 0 ? '1 as id' : star ? '*' : before.map((_, i) => `t${i}.id as c${i}`).join();
      const node = {
        ...{ resource_type: 'model', database: 'crm', schema: 'core', name: `m${n}` },
        config: { materialized: kind },
        depends_on: { nodes: before.map(idOf) },
        [statement]: `select ${columns}${from}${long ? ` -- ${noise(n, 11_000)}` : ''}`,
        description: noise(n, 1_000),
      };
      return [idOf(n), node] as const;
    });
    return { metadata: { adapter_type: 'postgres' }, nodes: Object.fromEntries(named), sources: {} } as never;
  });

/** What an explanation says except for which of several deliveries says it. */
const statementOf = ({ status, confidence, evidence }: EdgeExplanation) => ({
  ...{ status, confidence },
  evidence: evidence.map(({ delivery, observed_at, ...one }) => ({ ...one, kind: delivery?.kind })),
});

/** The numbers of the models that a manifest says depend on each other. */
const edgesIn = ({ nodes }: ModelsManifest) =>
  Object.entries(nodes).flatMap(([id, { depends_on }]) =>
    depends_on.nodes.map((on) => [numberOf(on), numberOf(id)] as const),
  );
const numberOf = (id: string) => Number(id.slice(idOf(0).length - 1));

it('answers what reading the whole documents answers, and of a moment what was answered then', async () => {
  let statements = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(project, fc.boolean()), { minLength: 2, maxLength: 3 }), async (documents) => {
      place = await world.place();
      const pairs = Array.from({ length: 7 }, (_, to) => Array.from({ length: to }, (_, from) => [from, to] as const));
      const moments = [await moment()];
      const then: (() => Promise<void>)[] = [];
      for (const [manifest, complete] of documents) {
        await take(manifest, complete ? 'complete' : 'partial');
        const now = await Promise.all(edgesIn(manifest).map(([from, to]) => explain(from, to)));
        const as_of = await moment();
        moments.push(as_of);
        then.push(async () => {
          const past = edgesIn(manifest).map(([from, to]) => explain(from, to, { as_of }));
          expect((await Promise.all(past)).map(statementOf)).toEqual(now.map(statementOf));
        });
      }
      const expectThen = async () => {
        for (const expectOne of then) await expectOne();
      };
      await expectThen();
      const send = async () => ({
        explained: await Promise.all(pairs.flat().map(([from, to]) => explain(from, to))),
        compared: await Promise.all(moments.slice(1).map((at, i) => diff(moments[i] ?? '', at))),
      });
      const stored = await send();
      expect(await removeDerivations(place.workspace)).toBeGreaterThan(0);
      expect(await send()).toEqual(stored);
      await expectThen();
      statements += stored.explained.filter(({ evidence }) => evidence[0]?.sql).length;
    }),
    { numRuns: runs(2) },
  );
  expect(statements).toBeGreaterThan(0);
});
