import * as v from 'valibot';
import { storedLines } from '../../../cli/events/stored-lines.ts';
import { s3 } from '../../../shared/adapters/aws.ts';
import { deliveryStore } from '../../../shared/adapters/dynamodb/deliveries/deliveries.ts';
import { namesReader } from '../../../shared/adapters/dynamodb/graph/scopes/scope-ends.ts';
import { named } from '../../../shared/adapters/dynamodb/registry/registry-readers.ts';
import { graphReaders } from '../../../shared/adapters/graph-stores.ts';
import { payloadReader } from '../../../shared/adapters/payloads.ts';
import { keysIn } from '../../../shared/adapters/s3/bucket.ts';
import {
  AgentCheckListResponse,
  AgentCheckResultPage,
  agentCheckRoutes,
} from '../../../shared/contract/agent-checks.ts';
import { listingsPrefix } from '../../../shared/contract/lake.ts';
import { policyRoutes } from '../../../shared/contract/policy.ts';
import { relationRoutes } from '../../../shared/contract/relations.ts';
import { sha256 } from '../../../shared/domain/base/digest.ts';
import { graphOf, type ScopeId } from '../../../shared/domain/lineage/graph/node.ts';
import type { Order } from '../../../shared/domain/lineage/graph/order.ts';
import { type EvaluatedEdge, edgeEvaluator, followed } from '../../../shared/domain/lineage/traversal/evaluate.ts';
import { openGraphWithPast } from '../../../shared/domain/lineage/traversal/open-graph.ts';
import { scanGraph } from '../../../shared/domain/lineage/traversal/scan-graph.ts';
import { fingerprintQuery, fingerprints } from '../../../shared/domain/operations/rebuild/fingerprint.ts';
import { queriesPorts } from '../../../shared/runtime/composition/queries.ts';
import { rawBucket, table } from '../../../shared/runtime/composition/stores.ts';
import { environment } from '../../../shared/runtime/environment.ts';
import { gathered } from '../gathered.ts';
import { graphOfEdges, judgement } from '../worked-events.ts';
import { notificationLines, pullRequestLines } from './observe-others.ts';
import { accepted } from './requests.ts';
import type { FaultRun } from './run.ts';
import type { Place } from './world.ts';

/** What a run came to, as lines that are the same however it came to it. */
export async function observe(run: FaultRun, place: Place): Promise<readonly string[]> {
  run.disarm();
  const stores = run.stores.used(() => ({ from: table(), raw: rawBucket() }))();
  const lines = await Promise.all([
    // Clocks that differ tell other times.
    run.hasOneClock ? graphLines(stores, place) : [],
    edgeLines(run, place),
    deliveryLines(stores, place),
    storedPayloads(run, place),
    orphanedDerivations(stores, place),
    storedEvents(run, place),
    relationLines(run, place),
    recountLines(run, place),
    checkLines(run, place),
    notificationLines(run, place),
    pullRequestLines(run),
  ]);
  return lines.flat().sort();
}

type Observed = {
  readonly from: ReturnType<typeof table>;
  readonly raw: ReturnType<typeof rawBucket>;
};

/** What `tributary admin hash` sums up, a line a relation. */
async function graphLines({ from, raw }: Observed, { workspace }: Place): Promise<string[]> {
  const names = await namesReader(named(from))(workspace);
  const found = await gathered(fingerprints(fingerprintQuery(graphReaders(from, raw), workspace, names, new Date())));
  return found.map(({ relation, edges, digest }) => `graph ${relation} ${edges} ${digest}`);
}

/** What readers see, without values that depend on the service's clock. */
async function edgeLines(run: FaultRun, { workspace }: Place): Promise<string[]> {
  const query = await openGraphWithPast(run.stores.used(queriesPorts)(), workspace, run.now());
  const judged: EvaluatedEdge[] = [];
  for await (const { edges, view } of scanGraph(query, { asOf: null }))
    judged.push(...followed(await edgeEvaluator(view, judgement).evaluate('in', edges)));
  const { tables, columns } = graphOfEdges(judged);
  return [...tables.map((line) => `edge ${line}`), ...columns.map((line) => `mapping ${line}`)];
}

/** A snapshot that a newer one overtook has had its effect, like one that was worked before that. */
const endOf = (state: string): string => (state === 'superseded' ? 'projected' : state);

async function deliveryLines({ from }: Observed, { workspace }: Place): Promise<string[]> {
  const query = { state: null, connectorId: null, limit: 200, after: null, oldestFirst: true };
  const { items } = await deliveryStore(from).list(workspace, query);
  return items.map(({ delivery_id, kind, state }) => `delivery ${delivery_id} ${kind} ${endOf(state)}`);
}

/** The payload of each delivery, as a rebuild of the graph reads it. */
export async function storedPayloads({ stores }: FaultRun, { workspace }: Place): Promise<string[]> {
  const { from, raw } = stores.used(() => ({ from: table(), raw: rawBucket() }))();
  const payloads = payloadReader(from, raw);
  const query = { state: null, connectorId: null, limit: 200, after: null, oldestFirst: true };
  const { items } = await deliveryStore(from).list(workspace, query);
  return Promise.all(
    items.map(async (delivery) => {
      const read = async () =>
        sha256(Buffer.concat(await gathered(await payloads.stream(delivery)))).toString('base64url');
      const isKept = (await read().catch(() => null)) === delivery.payload.digest;
      return `payload ${delivery.delivery_id} ${isKept ? 'kept' : 'lost'}`;
    }),
  );
}

/** What is kept of orders that are forgotten: nothing. */
async function orphanedDerivations({ from, raw }: Observed, { workspace }: Place): Promise<string[]> {
  const { scopes } = graphReaders(from, raw);
  const keys = await gathered(keysIn(raw, { Prefix: `${listingsPrefix}${workspace}/` }));
  const remaining = keys.filter((key) => key.endsWith('.derivations'));
  const orphans = remaining.map(async (key) => {
    const [scope = '', order = ''] = key.split('.')[0]?.split('/').slice(2) ?? [];
    return (await scopes.recorded(graphOf(workspace, 0), scope as ScopeId, order as Order)) ? [] : [`orphan ${key}`];
  });
  return (await Promise.all(orphans)).flat();
}

/** The rows of the lake. */
export async function storedEvents({ stores }: FaultRun, { workspace }: Place): Promise<string[]> {
  const lake = stores.used(() => environment('LAKE_BUCKET'))();
  const stored = await gathered(storedLines({ client: s3(), name: lake }, workspace));
  return stored.map((line) => {
    const { id, properties, trusted } = JSON.parse(line);
    return `event ${id} ${JSON.stringify(properties ?? null)} ${trusted}`;
  });
}

/** What people find by names of tables and columns. */
async function relationLines(run: FaultRun, { workspace, token }: Place): Promise<string[]> {
  const listed = async (query: Readonly<Record<string, string>>) => {
    const pending = run.ask('queries', {
      route: relationRoutes.listRelations,
      token,
      query: { workspace_id: workspace, ...query },
    });
    return v.parse(v.object({ items: v.array(v.record(v.string(), v.unknown())) }), await accepted(pending)).items;
  };
  const relations = await listed({});
  const columns = await Promise.all(['total', 'revenue', 'id'].map((q) => listed({ q, in: 'columns' })));
  return [
    ...relations.map(
      ({ relation_ref, columns_known, upstream_count, downstream_count }) =>
        `relation ${relation_ref} ${columns_known} ${upstream_count} ${downstream_count}`,
    ),
    ...columns.flat().map(({ relation_ref, columns: named }) => `columns ${relation_ref} ${named}`),
  ];
}

/** What checks found last; a client that asked for one again has two. */
async function checkLines(run: FaultRun, { workspace, token }: Place): Promise<string[]> {
  const query = { workspace_id: workspace };
  const listed = accepted(run.ask('agent', { route: agentCheckRoutes.listChecks, token, query }));
  const { agent_checks } = v.parse(AgentCheckListResponse, await listed);
  const lines = agent_checks.map(async ({ id: check_id, expectation }) => {
    const request = { route: agentCheckRoutes.listCheckResults, token, query, params: { check_id } };
    const [last] = v.parse(AgentCheckResultPage, await accepted(run.ask('agent', request))).items;
    return `check ${expectation} ${last?.state} ${last?.violations_total}`;
  });
  return [...new Set(await Promise.all(lines))];
}

/** The policy that holds, and whether its recount came to its end. */
async function recountLines(run: FaultRun, { workspace, connector, token }: Place): Promise<string[]> {
  const { text } = await run.ask('policy', {
    route: policyRoutes.getPolicy,
    token,
    params: { connector_id: connector },
    query: { workspace_id: workspace },
  });
  const { filters, repair } = JSON.parse(text);
  return [`policy ${JSON.stringify(filters)} ${repair.state}`];
}
