import { describe, expect, it } from 'vitest';
import { updateConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import { projectorPorts } from '../../shared/runtime/composition/workers.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);

/** Sends statements as the history of a database does: no event names a relation. */
const sendHistory = (place: LineagePlace, ...statements: readonly string[]) =>
  place.emit(statements.map((sql, i) => runEvent(place.namespace, [], [], { sql, job: `crm.${i}` })));

async function upstream(place: LineagePlace, relation_ref: string, ...columns: readonly string[]) {
  const { status, json } = await place.ask('/v1/lineage/impact', {
    relation_ref,
    direction: 'upstream',
    ...(columns.length > 0 && { column_ref: columns }),
  });
  expect(status, JSON.stringify(json)).toBe(200);
  return json.upstream.map((one: { relation_ref: string; columns: string[] }) =>
    [one.relation_ref, ...one.columns].join(' '),
  );
}

describe('a history of statements (C-OPENLINEAGE-23)', () => {
  it('is lineage of the relations and columns that they read and write, whatever their order', async () => {
    const statements = [
      'create table "crm"."core"."staged" as (select id, amount * 0 as cents from "crm"."raw"."orders")',
      'create view core.daily as select * from core.staged',
      'create temporary table t as (select id, cents from core.daily); insert into core.total (id, cents) (select id, cents from t)',
    ];
    for (const sent of [statements, statements.toReversed()]) {
      const place = await world.place();
      await sendHistory(place, ...sent);
      expect(await upstream(place, 'crm.core.total', 'cents')).toEqual([
        'crm.core.daily cents',
        'crm.core.staged cents',
        'crm.raw.orders amount',
      ]);
    }
  });

  it('feeds each relation that a script or a procedure writes only from what its own statements read', async () => {
    const place = await world.place();
    const body = `insert into core.total (id, cents) select id, amount from raw.orders where paid;
      insert into core.people (name) select name from raw.persons;
      insert into core.log (at) select now() from raw.clock; insert into core.fixed (n) values (1);`;
    await sendHistory(
      place,
      body,
      `create procedure core.load() language plpgsql as $$ begin
      create temporary table t as select id, vat from raw.rates;
      update core.shops set rate = t.vat from t where t.id = core.shops.id; delete from core.old using raw.gone where gone.id = old.id;
    end $$`,
    );
    expect(await upstream(place, 'crm.core.total')).toEqual(['crm.raw.orders']);
    expect(await upstream(place, 'crm.core.total', 'cents')).toEqual(['crm.raw.orders amount paid']);
    expect(await upstream(place, 'crm.core.people', 'name')).toEqual(['crm.raw.persons name']);
    expect(await upstream(place, 'crm.core.log')).toEqual(['crm.raw.clock']);
    expect(await upstream(place, 'crm.core.shops', 'rate')).toEqual(['crm.raw.rates id vat']);
    expect(await upstream(place, 'crm.core.old')).toEqual(['crm.raw.gone']);
  });

  it('completes names by the defaults of the connector, and is not fed by itself', async () => {
    const place = await world.place();
    await sendHistory(place, 'insert into total select cents from staged where cents > (select max(cents) from total)');
    expect(await upstream(place, 'crm.core.total')).toEqual(['crm.core.staged']);
  });

  it('completes names by the database that a statement ran in', async () => {
    const place = await world.place();
    const event = runEvent(place.namespace, [], [], { sql: 'insert into core.total select id from staged', job: 'j' });
    const session = { _producer: 'urn:test', _schemaURL: 'urn:test:session', database: 'sales' };
    await place.emit([
      { ...event, job: { ...event.job, facets: { ...event.job.facets, tributary_session: session } } },
    ]);
    expect(await upstream(place, 'sales.core.total')).toEqual(['sales.core.staged']);
  });

  it('reads for no output what a statement writes to files, and not what a client gets (C-OPENLINEAGE-27)', async () => {
    const place = await world.place({ kind: 'redshift', namespaces: ['redshift://unloads.test:5439'] });
    await sendHistory(
      place,
      ...['a', 'b', 'c'].map((name) => `create table core.${name} as select id from raw.orders`),
      "unload ('select id from core.a') to 's3://reports/a' iam_role 'arn:aws:iam::1:role/r'",
      'copy core.b to stdout',
      'select id from core.c',
    );
    const limitsAt = async (name: string) => {
      const question = { relation_ref: `crm.core.${name}`, direction: 'downstream' };
      const { json } = await place.ask('/v1/lineage/impact', question);
      return json.claim.limits.map(({ code }: { code: string }) => code);
    };
    expect(await Promise.all(['a', 'b', 'c'].map(limitsAt))).toEqual([['read_without_output'], [], []]);
  });

  it('states nothing if a text writes no relation or more than 500, or the connector says so', async () => {
    const place = await world.place();
    const many = Array.from({ length: 501 }, (_, i) => `insert into core.t${i} select id from raw.orders;`).join(' ');
    const unread = [
      'select id from raw.orders',
      'select from where',
      'delete from core.total',
      'call core.refresh()',
      many,
    ];
    const { json: sent } = await sendHistory(place, ...unread);
    const delivery = await projectorPorts().deliveries.get(place.workspace, sent.delivery_id);
    expect(delivery?.unresolved).toMatchObject([
      {
        reason: 'statement_writes_no_known_relation',
        count: 4,
        assets: ['crm.0', 'crm.1', 'crm.3', 'crm.4'],
      },
    ]);
    await updateConnector(world.operator, place.workspace, place.connector.id, { statement_columns: 'off' });
    await sendHistory(place, 'insert into core.total select id from raw.orders');
    const { json } = await place.ask('/v1/lineage/relations', {});
    expect(json.items).toEqual([]);
  });
});
