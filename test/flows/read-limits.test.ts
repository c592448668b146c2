import { beforeAll, describe, expect, it } from 'vitest';
import { exportImplementations } from '../../functions/export/export.ts';
import { impactImplementations, relationImplementations } from '../../functions/queries/impact.ts';
import { impactRoutes } from '../../shared/contract/explain.ts';
import { exportRoutes } from '../../shared/contract/export.ts';
import { limits } from '../../shared/contract/limits.ts';
import { overviewRoutes } from '../../shared/contract/overview.ts';
import { relationRoutes } from '../../shared/contract/relations.ts';
import { defaultPolicy } from '../../shared/domain/lineage/policy/policy.ts';
import { previewPolicy } from '../../shared/domain/lineage/queries/preview-policy.ts';
import type { Metering } from '../../shared/domain/lineage/traversal/graph-view.ts';
import { answerMetered, connectorIn, limitedTo } from '../../shared/domain/lineage/traversal/open-graph.ts';
import { httpPorts } from '../../shared/runtime/composition/intake.ts';
import { exportPorts, queriesPorts } from '../../shared/runtime/composition/queries.ts';
import { responder } from '../../shared/runtime/http.ts';
import { request } from '../support/access-world.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);
const [levels, width] = [6, 4];
const name = (level: number, at: number) => `crm.core.t${level}_${at}`;
let place: LineagePlace;

/** Levels of relations, each of which reads the whole level before; every edge maps the column `v`. */
beforeAll(async () => {
  place = await world.place();
  const all = Array.from({ length: width }, (_, at) => at);
  const events = Array.from({ length: levels }, (_, level) =>
    all.map((at) => {
      const inputs = (level === 0 ? [0] : all).map((input) => name(level, input));
      return runEvent(place.namespace, inputs, [name(level + 1, at)], {
        job: name(level + 1, at),
        columns: { v: inputs.map((input) => [input, 'v'] as const) },
      });
    }),
  ).flat();
  await place.emit(events);
});

/** Reads of the stores that cost many times as much: what a graph that is that much denser costs. */
const costly =
  (times: number, metering: Metering): Metering =>
  (work) =>
    metering((spent) => work(() => ({ requests: spent().requests, read_units: times * spent().read_units })));

/** What a lower weight of OpenLineage would change, if reads cost a number of times as much. */
function previewed({ workspace, connector }: LineagePlace, times: number, cursor?: string) {
  const reader = queriesPorts();
  const metered = { ...reader, metering: costly(times, reader.metering) };
  const change = { filters: defaultPolicy.filters, weights: { openlineage: 0.1 } };
  return answerMetered(metered, { workspace, now: new Date() }, (query) =>
    previewPolicy(query, connectorIn(query, connector.id), { workspace, ...change, cursor }),
  );
}

/** The routes that read lineage, whose reads cost a number of times as much. */
function asking(times: number) {
  const [reader, exporting] = [queriesPorts(), exportPorts()];
  const queries = { ...reader, metering: costly(times, reader.metering) };
  const respond = responder(
    { ...impactRoutes, ...relationRoutes, ...overviewRoutes, ...exportRoutes },
    {
      ...impactImplementations(queries),
      ...relationImplementations(queries),
      ...exportImplementations({ ...exporting, metering: costly(times, exporting.metering) }),
    },
    httpPorts(),
  );
  return async (path: string, query: Readonly<Record<string, string | readonly string[]>>) => {
    const own = { workspace_id: place.workspace, connector_id: place.connector.id };
    const { status, body } = await respond(
      request('GET', `/v1/lineage/${path}`, { token: place.tokens.viewer, query: { ...own, ...query } }),
    );
    expect(status, String(body)).toBe(200);
    return JSON.parse(String(body));
  };
}

/** So that a share of what an answer costs is all that it may take. */
const timesFor = (cost: { readonly read_units: number }, share: number) =>
  limits.answer.readUnits / (share * cost.read_units);

describe('the limit of reads (C-LIMIT-13)', () => {
  it('counts requests and read units, and shares of both', () => {
    const { requests, readUnits } = limits.answer;
    const spent = (units: number, made = 1) => limitedTo(() => ({ requests: made, read_units: units }));
    expect([spent(readUnits - 1)(), spent(readUnits)(), spent(readUnits / 2)(0.5)]).toEqual([false, true, true]);
    expect([spent(0, requests - 1)(), spent(0, requests)()]).toEqual([false, true]);
  });

  it.each([
    ['relations', {}],
    ['columns', { column_ref: 'v' }],
    ['columns of which one is not known', { column_ref: ['v', 'none'] }],
  ])('cuts an answer of impact about %s, which says why and what is left (C-IMPACT-4)', async (_, columns) => {
    const question = { relation_ref: name(0, 0), max_depth: '10', ...columns };
    const whole = await asking(1)('impact', question);
    expect(whole.truncated).toMatchObject({ any: false, by_requests: false });
    expect(whole.downstream).toHaveLength(levels * width);
    const ends: number[] = [];
    for (const share of [0.9, 0.7, 0.5, 0.3]) {
      const cut = await asking(timesFor(whole.cost, share))('impact', question);
      ends.push(cut.downstream.length);
      if (cut.downstream.length < whole.downstream.length) {
        expect(cut.truncated).toMatchObject({ any: true, by_requests: true, by_nodes: false, by_depth: false });
        expect(cut.truncated.unexplored).toBeGreaterThan(0);
      }
      expect(cut.cost.read_units).toBeLessThanOrEqual(whole.cost.read_units);
    }
    expect(Math.min(...ends)).toBeLessThan(levels * width);
    expect(ends).toEqual([...ends].sort((a, b) => b - a));
  });

  it('keeps what columns prove if it is reached before all relations are read (C-IMPACT-21)', async () => {
    // Some take `v` from the root; behind those that take another column are relations that only the walk by relations reads.
    const root = 'crm.core.two_columns';
    const reads = (from: string, to: string, column: string) =>
      runEvent(place.namespace, [from], [to], { job: to, columns: { [column]: [[from, column] as const] } });
    const events = Array.from({ length: 12 }, (_, at) => [
      reads(root, `crm.core.takes_v_${at}`, 'v'),
      reads(root, `crm.core.takes_w_${at}`, 'w'),
      reads(`crm.core.takes_w_${at}`, `crm.core.takes_w_then_${at}`, 'w'),
    ]);
    await place.emit(events.flat());
    const question = { relation_ref: root, max_depth: '10', column_ref: ['v', 'none'] };
    const whole = await asking(1)('impact', question);
    expect(whole.truncated.any).toBe(false);
    const { cost } = await asking(1)('impact', { ...question, column_ref: 'v' });
    const cut = await asking(timesFor(cost, 1.02))('impact', question);
    expect(cut.truncated.by_requests).toBe(true);
    expect(cut.column_lineage.paths).toEqual(whole.column_lineage.paths);
    expect(cut.precision.reasons).toContainEqual({ relation_ref: root, reason: 'unknown_column' });
  });

  it('cuts an overview and a relation, which say so (C-OVERVIEW-2)', async () => {
    const dense = asking(1e6);
    expect(await dense('overview', {})).toMatchObject({ truncated: true });
    const [cut, whole] = [
      await dense('relation', { relation_ref: name(1, 0) }),
      await asking(1)('relation', { relation_ref: name(1, 0) }),
    ];
    expect([cut.truncated, whole.truncated]).toEqual([true, false]);
    expect(whole.cost.read_units).toBeGreaterThan(0);
  });

  it('ends a page of an export earlier, and loses nothing (C-EXPORT-5)', async () => {
    const pages = async (times: number) => {
      const events: unknown[] = [];
      let [count, cursor]: [number, string | null] = [0, null];
      do {
        const page = await asking(times)('export', { limit: '2000', ...(cursor !== null && { cursor }) });
        expect(page.truncated).toBe(page.next_cursor !== null);
        events.push(...page.events.map(({ eventTime: _, ...event }: { eventTime: string }) => event));
        cursor = page.next_cursor;
        count++;
      } while (cursor !== null);
      return { events, count };
    };
    const [whole, cut] = [await pages(1), await pages(1e6)];
    expect(whole.count).toBe(1);
    expect(cut.count).toBeGreaterThan(1);
    expect(cut.events).toEqual(whole.events);
  });

  it.each([
    [limits.page.max, false],
    [limits.page.max + 1, true],
  ])('lists %i changes of a preview, and says if there are more (C-POLICY-15)', async (count, any) => {
    const other = await world.place();
    const inputs = Array.from({ length: count }, (_, at) => name(0, at));
    await other.emit(runEvent(other.namespace, inputs, [name(1, 0)]));
    const { items, unlisted, truncated } = await previewed(other, 1);
    expect([items.length, unlisted, truncated]).toEqual([limits.page.max, any ? 1 : 0, { any, by_requests: false }]);
  });

  it('ends a page of a preview earlier, which says why (C-POLICY-15)', async () => {
    const preview = (times: number, cursor?: string) => previewed(place, times, cursor);
    const whole = await preview(1);
    expect(whole.truncated).toEqual({ any: false, by_requests: false });
    const first = await preview(1e6);
    expect(first.truncated).toEqual({ any: true, by_requests: true });
    let [compared, next] = [first.edges_compared, first.next_cursor];
    for (; next !== null; ) {
      const page = await preview(1e6, next);
      compared += page.edges_compared;
      next = page.next_cursor;
    }
    expect(compared).toBe(whole.edges_compared);
  });
});
