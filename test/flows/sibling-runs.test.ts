import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { filesApi } from '../../cli/offline/files-api.ts';
import { loadSqlParser } from '../../shared/adapters/sql-parser.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { openFiles } from '../../shared/domain/lineage/files/open-files.ts';
import { startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll, provideForEach } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);
const place = provideForEach(() => world.place({ namespaces: ['postgres://db:5432'] }));

const [orders, metrics] = ['crm.core.orders', 'crm.core.metrics'];

/** One INSERT of an application: each has the same job, as Spark names it by its target. */
function insert(column: string, at: string, application?: string) {
  const columns = { value: [[orders, column] as const] };
  const { run, ...event } = runEvent(place.namespace, [orders], [metrics], { columns, at, job: 'app.append.metrics' });
  const job = { namespace: 'jobs', name: 'app' };
  const parent = { _producer: 'urn:test', _schemaURL: 'urn:test', run: { runId: application }, job };
  return { ...event, run: application === undefined ? run : { ...run, facets: { parent } } };
}

type Ask = (query: Record<string, string>) => Promise<unknown>;

const askService: Ask = async (query) => (await place.ask('/v1/lineage/impact', query)).json;

/** Which columns of the source feed the target. */
async function columnsUsed(ask = askService): Promise<string[]> {
  const answer = await ask({ relation_ref: metrics, column_ref: 'value', direction: 'upstream' });
  const { upstream } = answer as { readonly upstream: readonly { readonly columns: readonly string[] }[] };
  return upstream.flatMap(({ columns }) => columns).sort();
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

describe('runs of one job that one run started (C-OPENLINEAGE-28)', () => {
  it('add their columns up until a run of another parent comes', async () => {
    const [monday, tuesday] = [randomUUID(), randomUUID()];
    await place.emit([insert('amount', minutesAgo(9), monday), insert('id', minutesAgo(8), monday)]);
    expect(await columnsUsed()).toEqual(['amount', 'id']);
    // Only the event that begins the run names its parent.
    const { run, ...third } = insert('status', minutesAgo(5), tuesday);
    await place.emit({ ...third, run, eventType: 'START' });
    await place.emit({ ...third, run: { runId: run.runId } });
    expect(await columnsUsed()).toEqual(['status']);
    // Too late, and of an application that has been followed by another.
    await place.emit(insert('id', minutesAgo(7), monday));
    expect(await columnsUsed()).toEqual(['status']);
    await place.emit(insert('amount', minutesAgo(6), tuesday.toUpperCase()));
    expect(await columnsUsed()).toEqual(['amount', 'status']);
  });

  it('keep all columns where there are more of them than are stored one by one', async () => {
    const application = randomUUID();
    const others = Array.from({ length: 12 }, (_, i) => insert(`c${i}`, minutesAgo(7 - i / 10), application));
    const first = insert('amount', minutesAgo(9), application);
    for (const event of [first, ...others]) await place.emit(event);
    expect(await columnsUsed()).toEqual(['amount', ...others.map((_, i) => `c${i}`)].sort());
  });

  it('are not added up over more than a day', async () => {
    const cluster = randomUUID();
    const [before, lately] = [minutesAgo(24 * 60 + 2), minutesAgo(23 * 60)];
    await place.emit([insert('amount', before, cluster), insert('id', lately, cluster)]);
    expect(await columnsUsed()).toEqual(['amount', 'id']);
    await place.emit(insert('status', minutesAgo(1), cluster));
    expect(await columnsUsed()).toEqual(['id', 'status']);
  });

  it('are what a newer run of the job replaces if they name no parent', async () => {
    await place.emit([insert('amount', minutesAgo(9)), insert('id', minutesAgo(8))]);
    expect(await columnsUsed()).toEqual(['id']);
  });

  it('mean the same in files', async () => {
    const application = randomUUID();
    const events = [insert('amount', minutesAgo(9), application), insert('id', minutesAgo(8), application)];
    const api = filesApi(await openFiles([], { sqlParser: loadSqlParser, now: new Date(), events }));
    const ask: Ask = (query) => api.ask(routes.getImpact, { query: { connector_id: 'files', ...query } } as never);
    expect(await columnsUsed(ask)).toEqual(['amount', 'id']);
  });
});
