import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { connect } from '../../cli/connect.ts';
import { storedLines } from '../../cli/events/stored-lines.ts';
import { gathered } from '../support/gathered.ts';
import { firstValue, snapshotsInOrder } from '../support/histories/models.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { type Client, type Recorded, recordedBy, several } from './recorded-history.ts';

/** Work is not waited for longer: what is not seen by then is not explained. */
const longestWaitMs = 120_000;

/** What readers of the lake see of one event id, which several clients send with their own values. */
export const firstValues = (service: ServiceProcess) => async (client: Client) => {
  const connection = await connect({ credentials: service.file });
  const lake = { client: connection.s3, name: connection.names.lake_bucket };
  const id = randomUUID();
  const send = (event: string, value: string) => async () => {
    const properties = { value };
    const events = [
      { id: event, type: 'track', event: 'Sent', user_id: 'u', timestamp: new Date().toISOString(), properties },
    ];
    await client.call('POST', '/collect/v1/batch', {
      body: { project_key: client.projectKey, events },
      anonymous: true,
    });
    return null;
  };
  const valuesOf = async (event: string) => {
    const rows = (await gathered(storedLines(lake, client.workspace))).map((line) => v.parse(Row, JSON.parse(line)));
    return rows.filter((row) => row.id === event).map(({ properties }) => properties?.['value'] ?? '');
  };
  const read = { input: 'read' as const, ask: () => valuesOf(id) };
  const senders = several(4, (n) => several(2, (m) => ({ input: { send: `${n}-${m}` }, ask: send(id, `${n}-${m}`) })));
  const last = async () => {
    const end = randomUUID();
    await send(end, 'end')();
    await until(async () => (await valuesOf(end)).length > 0 && (await valuesOf(id)).length > 0);
    return valuesOf(id);
  };
  return recordedBy([...senders, several(4, () => read)], firstValue, [{ input: 'read', ask: last }]);
};

const Row = v.object({ id: v.string(), properties: v.nullish(v.record(v.string(), v.string())) });

/** What readers of the graph see of one scope while several clients send complete snapshots. */
export async function snapshots(client: Client): Promise<Recorded> {
  const source = `s${randomUUID().slice(0, 8)}`;
  const deliveries: string[] = [];
  const send = (name: string) => async () => {
    const { status, json } = await client.call('POST', '/v1/lineage/dbt/manifest', {
      body: snapshotOf(client, source, name),
    });
    if (status !== 202) throw new Error(`a snapshot was answered by ${status}`);
    deliveries.push(String(json['delivery_id']));
    return [name];
  };
  const seen = async () => {
    const query = new URLSearchParams({
      workspace_id: client.workspace,
      connector_id: client.connector,
      relation_ref: `hist.core.${source}`,
      column_ref: 'id',
    });
    const { status, json } = await client.call('GET', `/v1/lineage/impact?${query}`);
    return status === 200 ? snapshotsSeen(source, v.parse(Downstream, json)) : null;
  };
  const read = { input: 'read' as const, ask: seen };
  const senders = several(3, (n) => several(2, (m) => ({ input: { send: `m${n}_${m}` }, ask: send(`m${n}_${m}`) })));
  const last = async () => {
    await until(async () => (await Promise.all(deliveries.map((id) => stateOf(client, id)))).every(hasEnded));
    return seen();
  };
  return recordedBy([...senders, several(6, () => read)], snapshotsInOrder, [{ input: 'read at the end', ask: last }]);
}

const Downstream = v.object({
  downstream: v.array(v.object({ relation_ref: v.string(), columns: v.array(v.string()) })),
});

/** The relations of a snapshot: two others, and a shared one with a different column in each. */
const relationsOf = (source: string, name: string) => [`${source}_${name}_a`, `${source}_${name}_b`, `${source}_kept`];

/** The snapshots that are at least partly visible; a partly visible one gets another name. */
function snapshotsSeen(source: string, { downstream }: v.InferOutput<typeof Downstream>): readonly string[] {
  const columns = downstream.flatMap((one) =>
    one.columns.map((column) => ({ column, relation: one.relation_ref.split('.').at(-1) ?? '' })),
  );
  return [...Map.groupBy(columns, ({ column }) => column)].map(([name, ofSnapshot]) => {
    const relations = new Set(ofSnapshot.map(({ relation }) => relation));
    return relationsOf(source, name).every((one) => relations.has(one)) ? name : `a part of ${name}`;
  });
}

const hasEnded = (state: unknown) => state !== 'accepted' && state !== 'processing';
const stateOf = async ({ call, workspace }: Client, id: string) =>
  (await call('GET', `/v1/lineage/deliveries/${id}?workspace_id=${workspace}`)).json['state'];

function snapshotOf({ workspace, connector, project }: Client, source: string, name: string) {
  const place = { database: 'hist', schema: 'core' };
  const model = (alias: string) => [
    `model.h.${alias}`,
    {
      ...place,
      resource_type: 'model',
      alias,
      name: alias,
      depends_on: { nodes: ['source.h.s'] },
      compiled_code: `select id as ${name} from hist.core.${source}`,
    },
  ];
  return {
    workspace_id: workspace,
    connector_id: connector,
    project_id: project,
    completeness: 'complete',
    source_event_key: `${source} ${name}`,
    manifest: {
      metadata: { adapter_type: 'postgres' },
      sources: { 'source.h.s': { ...place, resource_type: 'source', alias: source, name: source } },
      nodes: Object.fromEntries(relationsOf(source, name).map(model)),
    },
  };
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + longestWaitMs;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('what was sent is not worked');
    await delay(50);
  }
}
