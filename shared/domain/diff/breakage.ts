import type { DiffGrade } from '../../contract/diff.ts';
import type { ConnectorId, WorkspaceId } from '../../contract/ids.ts';
import type { ImpactPorts } from '../impact/ask.ts';
import { type Columns, columnsOf } from '../impact/columns.ts';
import type { GraphView } from '../impact/graph-view.ts';
import type { ImpactQuestion } from '../impact/question.ts';
import { type Reached, startWalk, type Walked } from '../impact/walk.ts';
import { walkInStep } from '../impact/walk-in-step.ts';
import { nodeOf, relationRefOf, type Urn } from '../lineage/node.ts';
import { type Overlay, provenOnly } from './overlay.ts';

/** A relation that a change breaks, or may break. */
export type Victim = {
  readonly urn: Urn;
  readonly depth: number;
  readonly columns: readonly string[];
  readonly via: readonly string[];
  readonly grade: Exclude<DiffGrade, 'safe'>;
};

export type Breakage = { readonly victims: readonly Victim[]; readonly unexplored: number };

export type BreakageQuestion = {
  readonly workspace: WorkspaceId;
  readonly connectorId: ConnectorId;
  readonly asOf: string | null;
  readonly maxDepth: number;
  readonly maxNodes: number;
};

export type Breaks = {
  /** What breaks where a relation is gone: what reads it at once, and what it reaches by mappings all the way. */
  readonly ofRelation: (relation: Urn) => Promise<Breakage>;
  /** What breaks where columns are gone: what they reach by mappings all the way; what only may read them is at risk. */
  readonly ofColumn: (relation: Urn, column: string) => Promise<Breakage>;
  /** What is at risk where a column, or all of a relation (null), means something else. */
  readonly ofMeaning: (relation: Urn, column: string | null) => Promise<Breakage>;
};

const everyColumn: Columns = { all: true, names: new Map() };

/** Walks downstream over one view of the live graph, where what is gone still is; `overlay` says what the change adapts. */
export function breaksOn(ports: ImpactPorts, view: GraphView, question: BreakageQuestion, overlay: Overlay): Breaks {
  const lenient = { ...ports, overlay };
  const proven = { ...ports, overlay: (edge: Parameters<Overlay>[0]) => proves(overlay(edge)) };
  const asked: ImpactQuestion = {
    ...question,
    relationRef: '',
    columns: [],
    direction: 'downstream',
    includeStale: false,
    minConfidence: 0,
  };
  const walk = (on: ImpactPorts, relation: Urn, columns: Columns | null) => walked(on, view, asked, relation, columns);
  return {
    ofRelation: async (relation) => {
      const reached = await walk(lenient, relation, null);
      const sure = await walk(proven, relation, everyColumn);
      return breakage(reached, ({ urn, depth }) => depth === 1 || sure.reached.has(urn));
    },
    ofColumn: async (relation, column) => {
      const reached = await walk(lenient, relation, columnsOf([column]));
      const sure = await walk(proven, relation, columnsOf([column]));
      return breakage(reached, ({ urn }) => sure.reached.has(urn));
    },
    ofMeaning: async (relation, column) =>
      breakage(await walk(lenient, relation, column === null ? everyColumn : columnsOf([column])), () => false),
  };
}

const proves = (edge: ReturnType<Overlay>) => edge && provenOnly(edge);

async function walked(
  ports: ImpactPorts,
  view: GraphView,
  question: ImpactQuestion,
  relation: Urn,
  columns: Columns | null,
): Promise<Walked> {
  const walk = startWalk(ports, view, question, 'out', relation, columns);
  await walkInStep([walk], question);
  return walk.result(!walk.ended());
}

function breakage({ reached, unexplored }: Walked, isBroken: (one: Reached) => boolean): Breakage {
  const victims = [...reached.values()].map((one): Victim => {
    const { urn, depth, columns, via } = one;
    return {
      urn,
      depth,
      columns: [...columns.names.values()].sort(),
      via: [...via].sort(),
      grade: isBroken(one) ? 'breaking' : 'risky',
    };
  });
  const ref = ({ urn }: Victim) => relationRefOf(nodeOf(urn));
  return { victims: victims.sort((a, b) => a.depth - b.depth || (ref(a) < ref(b) ? -1 : 1)), unexplored };
}
