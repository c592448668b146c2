import type { LineageDiff } from '../../contract/diff.ts';
import { Problem } from '../../contract/problems.ts';
import type { ImpactPorts } from '../impact/ask.ts';
import { type JudgedEdge, judgeEdges } from '../impact/evidence.ts';
import { expand } from '../impact/expansion.ts';
import { type GraphView, graphView } from '../impact/graph-view.ts';
import type { Connector } from '../lineage/connector.ts';
import { nodeOf, type Urn } from '../lineage/node.ts';
import { edgeName } from '../projection/edges.ts';
import type { ScannedNode, ScanPosition } from '../scan/scan-graph.ts';
import { type BreakageQuestion, breaksOn } from './breakage.ts';
import { type Changes, compareSides, type RelationChange } from './compare.ts';
import { readPlace, writePlace } from './cursor.ts';
import { gradeChanges } from './effects.ts';
import { type MapPorts, mapsAt } from './maps-at.ts';
import { remembered } from './remembered-details.ts';
import { scanTimes } from './scan-times.ts';
import { showChanges } from './show-diff.ts';
import type { Side, SideEdge } from './side.ts';

export type DiffTimesPorts = ImpactPorts & MapPorts;

export type TimesQuestion = Omit<BreakageQuestion, 'connectorId' | 'asOf'> & {
  readonly from: string;
  readonly to: string;
  readonly limit: number;
  /** The `next_cursor` of the page before. */
  readonly cursor: string | null;
};

/** A page ends after so many relations, so that it ends long before its caller's time does. */
const relationsAPage = 2_000;

/**
 * What changed between two moments: the edges that touch the connector, a page of downstream relations at a time. What
 * is gone is walked from on the graph of the later moment: what still reads it there is broken. Throws `validation_error`.
 */
export async function diffTimes(
  ports: DiffTimesPorts,
  connector: Connector,
  question: TimesQuestion,
): Promise<Omit<LineageDiff, 'cost'>> {
  const { workspace, from, to } = question;
  if (from >= to) {
    throw new Problem('validation_error', { errors: [{ path: '/query/from', message: 'must be before `to`' }] });
  }
  const reading = { ...ports, details: remembered(ports.details) };
  const times = { before: graphView(ports, workspace, from), after: graphView(ports, workspace, to) };
  const { sides, next } = await scanned(reading, connector, question);
  const compared = compareSides(sides.before, sides.after);
  const changes = { ...compared, relations: await settled(reading, times, question, compared) };
  const walking = { ...question, connectorId: connector.id, asOf: to };
  const graded = await gradeChanges(
    breaksOn(reading, times.after, walking, (edge) => edge),
    changes,
  );
  return {
    workspace_id: workspace,
    connector_id: connector.id,
    from: momentOf(from),
    to: momentOf(to),
    ...showChanges(changes, graded),
    next_cursor: next && writePlace(next),
  };
}

const momentOf = (at: string): LineageDiff['from'] => ({
  kind: 'moment',
  as_of: at,
  scope_key: null,
  last_complete_snapshot_at: null,
  found: true,
});

type EditableSide = Side & { readonly edges: Map<string, SideEdge> };
const emptySide = (): EditableSide => ({ edges: new Map(), relations: new Set(), inventory: new Map() });

/** The edges into a page of relations at both moments; those that do not differ are kept too, for what they say of columns. */
async function scanned(ports: DiffTimesPorts, connector: Connector, question: TimesQuestion) {
  const { workspace, from, to, limit, cursor } = question;
  const sides = { before: emptySide(), after: emptySide() };
  const place = { workspace, connectors: [...ports.connectors.values()] };
  const said = { before: mapsAt(ports, place, from), after: mapsAt(ports, place, to) };
  let [relations, changed] = [0, 0];
  for await (const { before, after, next } of scanTimes(ports, workspace, { from, to, start: readPlace(cursor) })) {
    const [old, now] = [
      await edgesAt(ports, connector, question, from, before),
      await edgesAt(ports, connector, question, to, after),
    ];
    for (const [name, edge] of old) sides.before.edges.set(name, await sideEdge(edge, said.before));
    for (const [name, edge] of now) sides.after.edges.set(name, await sideEdge(edge, said.after));
    changed += [...old.keys()].filter((name) => !now.has(name)).length;
    changed += [...now.keys()].filter((name) => !old.has(name)).length;
    if (++relations >= relationsAPage || changed >= limit) return { sides, next };
  }
  return { sides, next: null as ScanPosition | null };
}

async function edgesAt(
  ports: ImpactPorts,
  connector: Connector,
  { workspace }: TimesQuestion,
  asOf: string,
  node: ScannedNode | null,
): Promise<Map<string, JudgedEdge>> {
  if (!node) return new Map();
  const judgement = { workspace, asOf, includeStale: false, minConfidence: 0, withDetails: true };
  const judged = await judgeEdges(ports, node.view, judgement, 'in', node.edges);
  const touching = judged.filter(({ upstream, downstream }) =>
    [upstream, downstream].some((urn) => isOf(connector, urn)),
  );
  return new Map(touching.map((edge) => [edgeName({ from: edge.upstream, to: edge.downstream }), edge]));
}

function isOf({ id }: Connector, urn: Urn): boolean {
  const node = nodeOf(urn);
  return 'connectorId' in node && node.connectorId === id;
}

async function sideEdge(
  { upstream, downstream, evidence }: JudgedEdge,
  said: ReturnType<typeof mapsAt>,
): Promise<SideEdge> {
  const admitted = evidence.filter(({ disposition }) => disposition === 'admitted');
  return { from: upstream, to: downstream, details: await Promise.all(admitted.map(said)) };
}

type Times = { readonly before: GraphView; readonly after: GraphView };

/** A page knows the edges into its relations alone: whether a relation came or went, its other edges tell too. */
async function settled(
  ports: ImpactPorts,
  times: Times,
  question: TimesQuestion,
  { relations, edges }: Changes,
): Promise<RelationChange[]> {
  const made = new Set(edges.map(({ to }) => to));
  const found: RelationChange[] = [];
  for (const one of relations) {
    const { change, relation } = one;
    if (change === 'changed') found.push(one);
    else if (change === 'added' && !(await isThere(ports, times.before, question, question.from, relation)))
      found.push(one);
    else if (change === 'removed') {
      const remains = await isThere(ports, times.after, question, question.to, relation);
      // Still read, and nothing makes it any more: whoever reads it goes on with what it was.
      if (!remains) found.push(one);
      else if (made.has(relation)) found.push({ ...one, change: 'changed' });
    }
  }
  return found;
}

/** Whether any active edge touches a relation at a moment. */
async function isThere(
  ports: ImpactPorts,
  view: GraphView,
  { workspace }: TimesQuestion,
  asOf: string,
  relation: Urn,
): Promise<boolean> {
  const judgement = { workspace, asOf, includeStale: false, minConfidence: 0, withDetails: false };
  for (const side of ['out', 'in'] as const) {
    const expansion = await expand(view, side, [relation], () => false);
    for (let found = await expansion.next(50); found; found = await expansion.next(50)) {
      if ((await judgeEdges(ports, view, judgement, side, found)).length > 0) return true;
    }
  }
  return false;
}
