import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../shared/contract/api/routes.ts';
import { exportLines } from '../../shared/domain/lineage/queries/export/export-page.ts';
import { validateEvent } from '../../shared/domain/lineage/sources/openlineage/validate.ts';
import { openGraphWithPast } from '../../shared/domain/lineage/traversal/open-graph.ts';
import { createConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import { queriesPorts } from '../../shared/runtime/composition/queries.ts';
import { deployedFunctions, type Send } from '../support/deployed-functions.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);
let send: Send;
let place: LineagePlace;
beforeAll(async () => {
  send = await deployedFunctions();
  place = await world.place();
  const reads = Array.from({ length: 30 }, (_, i) =>
    runEvent(place.namespace, ['crm.core.a'], [`crm.bi.t${i}`], { columns: { x: [['crm.core.a', 'v']] } }),
  );
  await place.emit(reads);
});

const ask = (query: Readonly<Record<string, string>>, token = place.tokens.viewer) =>
  send({ route: routes.exportLineage, token, query: { workspace_id: place.workspace, ...query } });
async function page(query: Readonly<Record<string, string>>) {
  const { status, text } = await ask(query);
  expect(status, text).toBe(200);
  return JSON.parse(text);
}

describe('the export', () => {
  it('has equal OpenLineage 2-0-2 events as pages of JSON and as NDJSON (C-EXPORT-1, C-VERSION-2)', async () => {
    const paged: unknown[] = [];
    let cursor: string | null = null;
    do {
      const one = await page({ limit: '7', ...(cursor !== null && { cursor }) });
      expect(one.events.length).toBeLessThanOrEqual(7);
      expect(one.truncated).toBe(one.next_cursor !== null);
      paged.push(...one.events);
      cursor = one.next_cursor;
    } while (cursor !== null);
    const { text, headers } = await ask({ output: 'ndjson' });
    expect(headers).toMatchObject({ 'content-type': 'application/x-ndjson' });
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(paged).toHaveLength(30);
    const timeless = (event: unknown) => ({ ...(event as object), eventTime: '' });
    expect(lines.map(timeless)).toEqual(paged.map(timeless));
    for (const event of lines) {
      expect(validateEvent(event)).toMatchObject({ valid: true, kind: 'JobEvent', facetFindings: [] });
      expect(event.inputs[0].inputFacets.tributary_verdict).toMatchObject({ verdict: 'observed_only' });
      expect(event.schemaURL).toContain('/spec/2-0-2/OpenLineage.json');
    }
  });

  it('reads a bounded part ahead of who takes its lines (C-EXPORT-6)', async () => {
    const reading = await openGraphWithPast(queriesPorts(), place.workspace, new Date());
    let reads = 0;
    const pages = new Proxy(reading.reader.pages, {
      get: (of, name, receiver) => {
        reads++;
        return Reflect.get(of, name, receiver);
      },
    });
    const request = {
      workspace: place.workspace,
      connectorId: null,
      profile: 'job',
      asOf: reading.context.now,
    } as const;
    const lines = exportLines({ ...reading, reader: { ...reading.reader, pages } }, request);
    expect((await lines.next()).done).toBe(false);
    const early = reads;
    for await (const _ of lines);
    expect(reads).toBeGreaterThan(early);
  });

  it('accepts only cursors of the same workspace, connector and profile (C-EXPORT-3)', async () => {
    const { next_cursor: cursor } = await page({ limit: '1' });
    const { record: other } = await createConnector(world.operator, place.workspace, { name: 'lake', kind: 'spark' });
    const elsewhere = await world.place();
    const refused = [
      await ask({ limit: '1', cursor, profile: 'run' }),
      await ask({ limit: '1', cursor, connector_id: other.id }),
      await ask({ limit: '1', cursor: `${cursor.slice(0, -2)}AA` }),
      await ask({ limit: '1', cursor, workspace_id: elsewhere.workspace }, elsewhere.tokens.viewer),
    ];
    expect((await page({ limit: '1', cursor })).events).toHaveLength(1);
    for (const { status, text } of refused)
      expect([status, JSON.parse(text).detail.errors]).toEqual([
        422,
        [expect.objectContaining({ path: '/query/cursor' })],
      ]);
  });
});
