import type { Side } from '../graph/claim.ts';
import { type NodeId, nodeId } from '../graph/ids.ts';
import type { EdgeColumn } from '../graph/ports.ts';
import type { Urn } from '../lineage/node.ts';
import { sortedBy } from '../sorted-by.ts';
import { type Columns, joinColumns, newColumns, passColumns } from './columns.ts';
import { type JudgedEdge, type JudgePorts, judgeEdges } from './evidence.ts';
import { type Expansion, expand } from './expansion.ts';
import type { GraphView } from './graph-view.ts';
import type { ImpactQuestion } from './question.ts';

/** A relation that the walk reached. */
export type Reached = {
  readonly urn: Urn;
  /** Of the shortest path. */
  readonly depth: number;
  readonly columns: Columns;
  readonly via: ReadonlySet<string>;
  readonly confidence: number;
};

/** What a walk in one direction found. */
export type Walked = {
  readonly reached: ReadonlyMap<Urn, Reached>;
  readonly edges: readonly { readonly edge: JudgedEdge; readonly mappings: readonly EdgeColumn[] }[];
  readonly reasons: readonly { readonly urn: Urn; readonly column: string | null; readonly reason: string }[];
  /** How many relations were reached without a mapping. */
  readonly byTable: number;
  readonly cutByDepth: boolean;
  readonly cutByNodes: boolean;
  readonly unexplored: number;
};

/** One direction of a walk, a depth at a time, so that two directions can share the room for nodes. */
export type Walk = {
  /** Looks one step deeper; answers how many relations wait there, at least. */
  readonly look: () => Promise<number>;
  /** Takes at most `room` new relations of those that wait; answers how many it took. */
  readonly take: (room: number) => Promise<number>;
  readonly ended: () => boolean;
  readonly result: (cutByDepth: boolean) => Promise<Walked>;
};

type Passed = { readonly edge: JudgedEdge; readonly mappings: readonly EdgeColumn[]; readonly reached: Columns };

const wholeTable: Columns = { all: true, names: new Map() };

/** Walks breadth first from `root`. With columns, a relation is visited again where further columns of it are reached. */
export function startWalk(
  ports: JudgePorts,
  view: GraphView,
  question: ImpactQuestion,
  side: Side,
  root: Urn,
  rootColumns: Columns | null,
): Walk {
  const judgement = { ...question, withDetails: rootColumns !== null };
  const reached = new Map<Urn, Reached>();
  const visited = new Set<NodeId>([nodeId(root)]);
  const known = new Map<Urn, Columns>([[root, rootColumns ?? wholeTable]]);
  const edges = new Map<string, { edge: JudgedEdge; mappings: Map<string, EdgeColumn> }>();
  const reasons = new Map<string, Walked['reasons'][number]>();
  const byTable = new Set<Urn>();
  let frontier = new Map<Urn, Columns>([[root, rootColumns ?? wholeTable]]);
  let expansion: Expansion | null = null;
  let depth = 0;
  let unexplored = 0;

  const pass = (edge: JudgedEdge): Passed | null => {
    const concerned = frontier.get(edge.self);
    if (!concerned || !rootColumns) return { edge, mappings: [], reached: wholeTable };
    const admitted = edge.evidence.filter(({ disposition }) => edge.status === 'stale' || disposition === 'admitted');
    const passage = passColumns(
      side,
      concerned,
      admitted.map(({ detail }) => detail),
    );
    if (!passage.reached) return null;
    for (const { column, reason } of passage.reasons) {
      reasons.set(`${edge.downstream} ${column} ${reason}`, { urn: edge.downstream, column, reason });
    }
    if (passage.byTable) byTable.add(edge.other);
    return { edge, mappings: passage.mappings, reached: passage.reached };
  };

  const keep = ({ edge, mappings }: Passed) => {
    const name = `${edge.upstream} ${edge.downstream}`;
    const entry = edges.get(name) ?? { edge, mappings: new Map() };
    for (const one of mappings) {
      entry.mappings.set(`${one.inputColumn} ${one.outputColumn} ${one.type} ${one.subtype}`, one);
    }
    edges.set(name, entry);
  };

  /** Takes the edges of one portion, the fullest knowledge of each new relation first joined from all of them. */
  const keepAll = (passed: readonly Passed[], next: Map<Urn, Columns>): number => {
    let taken = 0;
    for (const one of passed) {
      const { other, evidence, confidence } = one.edge;
      keep(one);
      const fresh = newColumns(known.get(other), one.reached);
      known.set(other, joinColumns(known.get(other), one.reached));
      if (fresh) next.set(other, joinColumns(next.get(other), fresh));
      // A circle back may concern further columns of the root, which is no victim of its own.
      if (other === root) continue;
      const before = reached.get(other);
      if (!before) taken++;
      visited.add(nodeId(other));
      reached.set(other, {
        urn: other,
        depth: before?.depth ?? depth,
        columns: joinColumns(before?.columns, one.reached),
        via: new Set([...(before?.via ?? []), ...evidence.map(({ providerType }) => providerType)]),
        confidence: Math.max(before?.confidence ?? 0, confidence),
      });
    }
    return taken;
  };

  const portions = async (expansion: Expansion, room: number, next: Map<Urn, Columns>) => {
    let left = room;
    for (;;) {
      const found = await expansion.next(left);
      if (!found) return room - left;
      const judged = await judgeEdges(ports, view, judgement, side, found);
      const passed = sortedBy(judged, endsOf).flatMap((edge) => pass(edge) ?? []);
      // Renames and aliases may lead a portion to more relations than it asked for.
      const within = passed.filter(({ edge }) => reached.has(edge.other) || edge.other === root);
      const beyond = passed.filter(({ edge }) => !reached.has(edge.other) && edge.other !== root);
      const fresh = [...new Set(beyond.map(({ edge }) => edge.other))];
      const admitted = new Set(fresh.slice(0, left));
      unexplored += fresh.length - admitted.size;
      const taken = keepAll([...within, ...beyond.filter(({ edge }) => admitted.has(edge.other))], next);
      left -= taken;
      if (left <= 0 && expansion.left() > 0) return room - left;
    }
  };

  return {
    ended: () => frontier.size === 0,
    look: async () => {
      expansion = await expand(view, side, [...frontier.keys()], (node) => visited.has(node));
      return expansion.left();
    },
    take: async (room) => {
      if (!expansion) throw new Error('a walk takes what it has looked at');
      depth++;
      const next = new Map<Urn, Columns>();
      const taken = await portions(expansion, room, next);
      unexplored += expansion.left();
      frontier = next;
      return taken;
    },
    result: async (cutByDepth) => {
      const beyond = cutByDepth && frontier.size > 0 ? await leftBeyond(view, side, frontier, visited) : 0;
      return {
        reached,
        edges: [...edges.values()].map(({ edge, mappings }) => ({ edge, mappings: [...mappings.values()] })),
        reasons: [...reasons.values()],
        byTable: byTable.size,
        cutByDepth: beyond > 0,
        cutByNodes: unexplored > 0,
        unexplored: unexplored + beyond,
      };
    },
  };
}

/** How many relations stand beyond the deepest level and were not visited. */
async function leftBeyond(
  view: GraphView,
  side: Side,
  frontier: ReadonlyMap<Urn, Columns>,
  visited: ReadonlySet<NodeId>,
): Promise<number> {
  return (await expand(view, side, [...frontier.keys()], (node) => visited.has(node))).left();
}

const endsOf = ({ refs }: JudgedEdge) => `${refs.upstream} ${refs.downstream}`;
