import { randomUUID } from 'node:crypto';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import { graphOf, nodeOf, relationRefOf, type Urn, urnOf } from '../../shared/domain/lineage/graph/node.ts';
import { acceptOpenLineage } from '../../shared/domain/lineage/ingest/accept-openlineage.ts';
import { messageOf, showDelivery } from '../../shared/domain/lineage/ingest/deliveries/ports.ts';
import { resolveDataset } from '../../shared/domain/lineage/names/resolve-dataset.ts';
import { projectDelivery } from '../../shared/domain/lineage/projection/project-content.ts';
import { askImpact } from '../../shared/domain/lineage/queries/impact/ask-impact.ts';
import type { Resolve } from '../../shared/domain/lineage/sources/openlineage/event-names.ts';
import { type EvaluatedEdge, edgeEvaluator, followed } from '../../shared/domain/lineage/traversal/evaluate.ts';
import { type ExpandedEdge, expand } from '../../shared/domain/lineage/traversal/expansion.ts';
import { graphView } from '../../shared/domain/lineage/traversal/graph-view.ts';
import { ingestPorts } from '../../shared/runtime/composition/intake.ts';
import { queriesPorts } from '../../shared/runtime/composition/queries.ts';
import { projectorPorts } from '../../shared/runtime/composition/workers.ts';
import { connectorWith } from '../domain/identity/connectors.ts';
import { queryOf } from './query-of.ts';

/** What readers of a workspace see. */
export type Graph = {
  /** `from -> to`, by relation ref. */
  readonly tables: readonly string[];
  /** `from.column -> to.column type/subtype`, `*` for every column of the downstream relation. */
  readonly columns: readonly string[];
};

/** Datasets of nobody's connector: their symlinks are their aliases. */
export const resolve: Resolve = (one) => resolveDataset([], one);

type Dataset = { readonly namespace: string; readonly name: string };

/** One of each, as a process has: their caches are large. */
const ports = () => (built ??= { intake: ingestPorts(), worker: projectorPorts(), serve: queriesPorts() });
let built: Ports | undefined;
type Ports = {
  readonly intake: ReturnType<typeof ingestPorts>;
  readonly worker: ReturnType<typeof projectorPorts>;
  readonly serve: ReturnType<typeof queriesPorts>;
};

/**
 * Its own workspace with one connector, which owns the namespaces: events are accepted and worked as the deployed
 * functions do, one at a time, and every dataset is asked about.
 */
export function eventsWorkspace(namespaces: readonly string[] = []) {
  const { intake: taking, worker: working, serve } = ports();
  const workspace = `w-${randomUUID()}` as WorkspaceId;
  const connector = { ...connectorWith({ id: 'warehouse', namespaces: [...namespaces] }), workspace_id: workspace };
  const namesOf = async () => ({ connectors: [connector], generation: 0, changes: 0, forgotten: {} });
  const intake = { ...taking, queue: { send: async () => undefined } };
  const worker = { ...working, namesOf };
  const connectors = new Map([[connector.id, connector]]);
  const queryAt = (now: string) => queryOf(serve, graphOf(workspace, 0), { connectors, now });

  const ask = async (relationRef: string, now: string) =>
    askImpact(queryAt(now), connector, {
      workspace,
      connectorId: connector.id,
      relationRef,
      columns: [],
      direction: 'both',
      maxDepth: 1,
      maxNodes: 500,
      asOf: null,
      includeStale: false,
      minConfidence: 0,
    });

  return {
    ask,
    /** Sends one event, or a batch of them, and works it; answers with the delivery as it is shown. */
    send: async (body: unknown) => {
      const receipt = await acceptOpenLineage(intake, {
        workspace,
        kind: Array.isArray(body) ? 'openlineage_batch' : 'openlineage_event',
        connectorId: null,
        providerKey: null,
        idempotencyKey: randomUUID(),
        payload: {
          bytes: new TextEncoder().encode(JSON.stringify(body)),
          contentType: 'application/json',
          contentEncoding: null,
        },
      });
      const find = async () => {
        const delivery = await worker.deliveries.get(workspace, receipt.delivery_id as never);
        if (!delivery) throw new Error('an accepted delivery is not kept');
        return delivery;
      };
      await projectDelivery(worker, messageOf(await find()), { receiveCount: 1 });
      return showDelivery(worker, await find());
    },
    /** All edges between the datasets, judged as at that time. */
    graph: async (datasets: readonly Dataset[], now: string): Promise<Graph> => {
      const view = graphView(queryAt(now), null);
      const expansion = await expand(view, { side: 'in', nodes: urnsOf(datasets) });
      const found: ExpandedEdge[] = [];
      for (let edges = await expansion.next(500); edges; edges = await expansion.next(500)) found.push(...edges);
      return graphOfEdges(followed(await edgeEvaluator(view, judgement).evaluate('in', found)));
    },
    /** The tables of the same, as the answers to questions about each dataset tell them. */
    answers: async (datasets: readonly Dataset[], now: string): Promise<readonly string[]> => {
      const refs = new Set(urnsOf(datasets).map((urn) => relationRefOf(nodeOf(urn))));
      const answers = await Promise.all([...refs].map((ref) => ask(ref, now)));
      const edges = answers.flatMap((answer) => answer.edges);
      return [...new Set(edges.map(({ upstream, downstream }) => `${upstream} -> ${downstream}`))].sort();
    },
  };
}

const urnsOf = (datasets: readonly Dataset[]): Urn[] => [
  // A dataset that an event marks as ephemeral is a node of a separate kind.
  ...new Set(
    datasets.flatMap(({ namespace, name }) => [
      urnOf(resolve({ namespace, name, symlinks: [] }).node),
      urnOf({ kind: 'inlined', namespace, name }),
    ]),
  ),
];

/** Everything that stands, with its columns. */
export const judgement = { asOf: null, includeStale: false, minConfidence: 0, withDetails: true } as const;

export function graphOfEdges(edges: readonly EvaluatedEdge[]): Graph {
  const named = edges.map((edge) => ({
    ...edge,
    from: relationRefOf(nodeOf(edge.upstream)),
    to: relationRefOf(nodeOf(edge.downstream)),
  }));
  const columns = named.flatMap(({ from, to, evidence }) =>
    evidence.flatMap(({ detail }) =>
      (detail?.columns ?? []).map(
        ({ inputColumn, outputColumn, type, subtype, masking }) =>
          `${from}.${inputColumn} -> ${to}.${outputColumn ?? '*'} ${type}/${subtype ?? '-'}${masking ? ' masked' : ''}`,
      ),
    ),
  );
  return {
    tables: [...new Set(named.map(({ from, to }) => `${from} -> ${to}`))].sort(),
    columns: [...new Set(columns)].sort(),
  };
}
