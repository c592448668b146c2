import type { WorkspaceId } from '../../../../contract/ids.ts';
import type { EdgeDetail, EdgeInScope } from '../../graph/derivation.ts';
import { type Node, type NodeId, scopeId, type Urn, urnOf } from '../../graph/node.ts';
import { forgettingAt, type Order, zeroOrder } from '../../graph/order.ts';
import type { RecordedOrder, ScopeHead } from '../../graph/scope-store.ts';
import type { Connector } from '../../names/connector.ts';
import { readAgain } from '../../past/rederive-document.ts';
import { edgeName } from '../../projection/edges.ts';
import { type ListedEdge, listedEdges } from '../../projection/listing.ts';
import type { ColumnPorts } from '../../sources/declared/declared.ts';
import { type ModelLineage, modelLineage } from '../../sources/models/model-lineage.ts';
import type { ExternalRelation, Model, ModelProject } from '../../sources/models/model-project.ts';
import type { KnownColumns } from '../../sql/types.ts';
import type { GraphReader, GraphView } from '../../traversal/graph-view.ts';
import { visibleAs } from '../../traversal/visible-version.ts';
import type { GraphVersion, VersionEdge } from './graph-version.ts';

export type LiveScope = {
  /** Null where nothing was ever accepted under the scope. */
  readonly head: ScopeHead | null;
  readonly side: GraphVersion;
  readonly producers: ReadonlyMap<Urn, string>;
  /** The orders that it says now, oldest first. */
  readonly effective: readonly RecordedOrder[];
};

/** What one declared scope says now: the edges that the last complete snapshot and the partial deliveries since list. */
export async function liveScope(view: GraphView, scopeKey: string): Promise<LiveScope> {
  const { reader, context } = view;
  const scope = scopeId(scopeKey);
  const [found = null] = await reader.scopes.heads(context.graph, [scope], { consistent: true });
  const until = forgettingAt(context.forgotten, scope, null)?.order ?? null;
  // Forgotten evidence is treated as never accepted.
  const isForgotten = until !== null && found !== null && found.order <= until;
  const head = isForgotten && found.started <= until ? null : found;
  const orders = head ? await reader.scopes.orders(context.graph, scope, head.listed) : [];
  // A complete order is recorded before it takes effect; a partial one that is older than the head's has ended.
  const effective = orders.filter(
    ({ complete, order }) =>
      head !== null && !(isForgotten && order <= until) && (order === head.listed || (!complete && order > head.order)),
  );
  const listed = distinct(effective.flatMap(({ listing }) => listedEdges(listing)));
  await view.nodes.load(listed.flatMap(({ from, to }) => [from, to]));
  const orderNow = head?.order ?? zeroOrder;
  const details = await detailsOf(
    view,
    listed.map(({ from, to }) => ({ from, to, scope })),
    (order) => order <= orderNow || effective.some((one) => one.order === order),
  );
  const edges = new Map<string, VersionEdge>();
  const producers = new Map<Urn, string>();
  for (const one of listed) {
    const [from, to] = [view.nodes.urnOf(one.from), view.nodes.urnOf(one.to)];
    if (from === undefined || to === undefined) continue;
    const detail = details.get(nameOf(one)) ?? null;
    edges.set(edgeName({ from, to }), { from, to, details: [detail] });
    if (detail) producers.set(to, detail.producer.name);
  }
  return { head, side: { edges, relations: new Set(), inventory: new Map() }, producers, effective };
}

const edgesPerRead = 10_000;

const nameOf = ({ from, to }: { readonly from: NodeId; readonly to: NodeId }) => `${from}${to}`;

const distinct = (edges: readonly ListedEdge[]): ListedEdge[] => [
  ...new Map(edges.map((edge) => [nameOf(edge), edge])).values(),
];

async function detailsOf(
  { readDetails, context: { isSpent } }: GraphView,
  edges: readonly EdgeInScope[],
  hasTakenEffect: (order: Order) => boolean,
): Promise<ReadonlyMap<string, EdgeDetail>> {
  const found = new Map<string, EdgeDetail>();
  // Columns of edges that were not read any more are not known.
  for (let from = 0; from < edges.length && !isSpent(); from += edgesPerRead) {
    const read = await readDetails(edges.slice(from, from + edgesPerRead));
    for (const one of read) found.set(nameOf(one), visibleAs(one, hasTakenEffect).detail);
  }
  return found;
}

/**
 * The columns that the live project knows of what a branch reads and does not make, and of seeds and other models without
 * a statement that are as they were: a branch's manifest seldom has a catalog beside it.
 */
export function liveColumns({ projects }: LiveProject, branch: ModelProject): (node: Node) => KnownColumns | null {
  const members = projects.flatMap(({ sources, models }) => [...sources, ...models.filter(isOpaque)]);
  const live = new Map(members.map((one) => [one.id, one]));
  const known = new Map<Urn, KnownColumns>();
  for (const member of [...branch.sources, ...branch.models.filter(isOpaque)]) {
    const before = live.get(member.id);
    if (!before?.columns || !member.node || contentOf(before) !== contentOf(member)) continue;
    known.set(urnOf(member.node), { names: before.columns.map(({ name }) => name), complete: true });
  }
  return (node) => known.get(urnOf(node)) ?? null;
}

const isOpaque = ({ isModel, statement, settings }: Model): boolean =>
  isModel && statement.kind === 'none' && typeof settings?.content === 'string';
const contentOf = (member: Model | ExternalRelation): string | null =>
  'settings' in member ? (member.settings?.content ?? null) : null;

type DocumentReader = Pick<GraphReader, 'deliveries' | 'payloads' | 'readings'>;

/** What a scope's documents hold, newest last: the whole project, then what was sent in part since. */
export type LiveProject = {
  readonly projects: readonly ModelProject[];
  /** Why not all of its documents could be read; null if they were. */
  readonly unread: string | null;
  /** What they state together, if all were read. */
  readonly lineage?: ModelLineage | undefined;
};

/** What was sent in part counts for its models since. */
export function wholeProject({ projects }: LiveProject): ModelProject | null {
  const newest = <M extends Model | ExternalRelation>(members: readonly M[]) => [
    ...new Map(members.map((one) => [one.id, one])).values(),
  ];
  const last = projects.at(-1);
  if (last === undefined || projects.length === 1) return last ?? null;
  const [models, sources] = [projects.flatMap((one) => one.models), projects.flatMap((one) => one.sources)];
  return { ...last, models: newest(models), sources: newest(sources) };
}

/** Bytes of a document that a comparison reads: about two seconds, and a third of its memory. */
const mostBytes = 96 * 1024 * 1024;
/** Documents sent in part that are read: each is a request. */
const mostDocuments = 20;

/** Reads the documents that state what a scope says now, from the bytes that were sent. */
export async function liveProject(
  reader: DocumentReader,
  analyse: ColumnPorts['analyse'],
  place: { readonly workspace: WorkspaceId; readonly connector: Connector },
  head: ScopeHead,
  effective: readonly Pick<RecordedOrder, 'order' | 'deliveryId'>[],
): Promise<LiveProject> {
  // A push that states the same lineage again is not listed, and its statements are the ones that count.
  const statements = effective.map(({ order, deliveryId }) =>
    order === head.listed && head.order > head.listed ? (head.restatedBy ?? null) : deliveryId,
  );
  const only = statements.length === 1 ? reader.readings?.(statements[0] ?? null) : null;
  const projects: ModelProject[] = [];
  let unread = statements.length > mostDocuments ? 'too_many_documents' : null;
  for (const id of statements.slice(-mostDocuments)) {
    const read = await projectOf(reader, place, id);
    if (typeof read === 'string') unread ??= read;
    else projects.push(read);
  }
  const whole = unread === null ? wholeProject({ projects, unread }) : null;
  return {
    projects,
    unread,
    lineage: only?.declared.lineage ?? (whole ? modelLineage({ analyse }, whole) : undefined),
  };
}

async function projectOf(
  reader: DocumentReader,
  { workspace, connector }: { readonly workspace: WorkspaceId; readonly connector: Connector },
  id: string | null,
): Promise<ModelProject | string> {
  const read = await readAgain(reader, { workspace, connectors: [connector] }, id, mostBytes);
  if (read === 'too_large') return 'document_too_large';
  return (read !== 'missing' && read.project) || 'document_not_kept';
}
