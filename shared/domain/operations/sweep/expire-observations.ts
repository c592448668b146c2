import type { WorkspaceId } from '../../../contract/ids.ts';
import { type Names, openedGraph } from '../../lineage/generations/graph-record.ts';
import { isWide, type Page, type PageSide, pageCount, schemaPage } from '../../lineage/graph/claim.ts';
import type { ClaimWriter } from '../../lineage/graph/claim-writer.ts';
import { type GraphId, type NodeId, shardCount } from '../../lineage/graph/node.ts';
import { historyDays, type Micros, microsOfIso, type Order } from '../../lineage/graph/order.ts';
import type { GraphNode, PageReader } from '../../lineage/graph/page-reader.ts';
import { type Connector, connectorDefaults } from '../../lineage/names/connector.ts';
import type { SweepCheckpoints } from './archive-payloads.ts';

export type ExpiryPorts = {
  readonly workspaces: () => Promise<readonly { readonly id: WorkspaceId }[]>;
  readonly namesOf: (workspace: WorkspaceId) => Promise<Pick<Names, 'generation' | 'forgotten'> & Retentions>;
  readonly pages: Pick<PageReader, 'scan' | 'morePages' | 'schemas'>;
  readonly claims: Pick<ClaimWriter, 'expireObservations' | 'forgetDetails'>;
};

type Retentions = { readonly connectors: readonly Pick<Connector, 'observed_retention_days'>[] };

export type NodePosition = {
  readonly workspace: WorkspaceId;
  readonly shard: number;
  readonly node: NodeId;
};

type Run = { readonly from: NodePosition | null; readonly now: Date; readonly timeIsUp: () => boolean };

const nodesPerRead = 50;
const dayMs = 86_400_000;
const sides = ['in', 'out'] as const;

/** Observations stale since before history begins. One round walks all pages; runs may overlap and die. `next` is null at the end of the round. */
export async function expireObservations(ports: ExpiryPorts, { from, now, timeIsUp }: Run) {
  let observations = 0;
  const ids = (await ports.workspaces()).map(({ id }) => id).sort();
  for (const workspace of from ? ids.filter((id) => id >= from.workspace) : ids) {
    const names = await ports.namesOf(workspace);
    const cutoff = cutoffOf(names, now);
    const { graph } = openedGraph(workspace, names);
    const start = from?.workspace === workspace ? from : null;
    for await (const { place, pages } of nodesAfter(ports, graph, workspace, start)) {
      for (const page of pages) observations += await expireOnPage(ports, graph, page, cutoff);
      if (timeIsUp()) return { observations, next: place };
    }
  }
  return { observations, next: null };
}

/** The longest retention of the workspace's connectors holds for all: which of them evaluates an edge is not on its page. */
function cutoffOf({ connectors }: Retentions, now: Date): Micros {
  const retentions = connectors.map((one) => one.observed_retention_days);
  const days = Math.max(connectorDefaults.observed_retention_days, ...retentions) + historyDays;
  return microsOfIso(new Date(now.getTime() - days * dayMs).toISOString());
}

type Observed = Pick<Page, 'node' | 'number' | 'claims'> & { readonly side: PageSide };
type NodePages = { readonly place: NodePosition; readonly pages: readonly Observed[] };

async function* nodesAfter(
  { pages }: ExpiryPorts,
  graph: GraphId,
  workspace: WorkspaceId,
  from: NodePosition | null,
): AsyncGenerator<NodePages> {
  for (let shard = from?.shard ?? 0; shard < shardCount; shard++) {
    let after = from?.shard === shard ? from.node : null;
    for (;;) {
      const found = await pages.scan(graph, shard, after, nodesPerRead);
      for (const one of found) {
        const place = { workspace, shard, node: one.node };
        yield { place, pages: await pagesOf(pages, graph, one) };
      }
      after = found.at(-1)?.node ?? null;
      if (after === null) break;
    }
  }
}

/** All pages of a node: its item, with the first pages of both sides and its schemas, and the further ones. */
async function pagesOf(reader: ExpiryPorts['pages'], graph: GraphId, one: GraphNode): Promise<Observed[]> {
  const { node, levels, pages, schemas } = one;
  const further = sides.map((side) => {
    const refs = Array.from({ length: pageCount(levels[side]) - 1 }, (_, i) => ({ node, number: i + 1 }));
    return refs.length > 0 ? reader.morePages(graph, side, refs) : [];
  });
  const [more, ofSchemas] = [(await Promise.all(further)).flat(), [{ number: 0, claims: schemas }]];
  if (isWide(levels)) {
    const claims = (await reader.schemas(graph, [node], { withHistory: false })).get(node) ?? [];
    ofSchemas.push({ number: schemaPage, claims });
  }
  return [pages.in, pages.out, ...ofSchemas.map((page) => ({ side: 'schema' as const, node, ...page })), ...more];
}

async function expireOnPage(ports: ExpiryPorts, graph: GraphId, page: Observed, cutoff: Micros): Promise<number> {
  const { side, node } = page;
  const old = page.claims.flatMap((claim) => (claim.kind === 'observed' && claim.last < cutoff ? [claim] : []));
  if (old.length === 0) return 0;
  // Before the claims, which take with them what holds nothing else. A detail's order begins with its observation's time.
  if (side === 'in') {
    const edges = old.map(({ other, scope }) => ({ from: other, to: node, scope }));
    await ports.claims.forgetDetails(graph, edges, cutoff as string as Order);
  }
  return (await ports.claims.expireObservations(graph, page, old)).length;
}

const task = 'observations';

/** A pass over all observations, and where it is; null: it has ended. */
type ExpiryPass = { readonly began: number; readonly place: NodePosition | null };

/** Goes on with the pass that is under way, or begins one where the last began a day ago; answers how many it removed. */
export async function expireObservationsDaily(
  ports: ExpiryPorts & { readonly places: SweepCheckpoints },
  { now, timeIsUp }: { readonly now: Date; readonly timeIsUp: () => boolean },
): Promise<number> {
  const pass = (await ports.places.read(task)) as ExpiryPass | null;
  const hasEnded = !pass?.place;
  if (hasEnded && pass !== null && now.getTime() - pass.began < dayMs) return 0;
  const began = hasEnded ? now.getTime() : pass.began;
  const { observations, next } = await expireObservations(ports, { from: pass?.place ?? null, now, timeIsUp });
  await ports.places.write(task, { began, place: next } satisfies ExpiryPass);
  return observations;
}
