import type { LineageDiff } from '../../../../contract/diff.ts';
import type { WorkspaceId } from '../../../../contract/ids.ts';
import { Problem } from '../../../../contract/problems.ts';
import type { Urn } from '../../graph/node.ts';
import type { Connector } from '../../names/connector.ts';
import { edgeName } from '../../projection/edges.ts';
import { activeEdges, type EvaluatedEdge, edgeEvaluator, followed } from '../../traversal/evaluate.ts';
import { admittedOf } from '../../traversal/evidence.ts';
import { expand, touches } from '../../traversal/expansion.ts';
import { type GraphQuery, type GraphView, graphView } from '../../traversal/graph-view.ts';
import { type ScannedNode, type ScanPosition, scanTimes } from '../../traversal/scan-graph.ts';
import { standingDetails } from '../../traversal/standing-details.ts';
import { type ChangeImpactQuestion, gradeChanges, impactFinder } from './change-impact.ts';
import { changeVerdicts } from './change-verdicts.ts';
import { type Changes, compareVersions, type RelationChange } from './compare.ts';
import { readDiffCursor, writeDiffCursor } from './cursor.ts';
import { withClaim } from './diff-claim.ts';
import type { GraphVersion, VersionEdge } from './graph-version.ts';
import { showChanges } from './show-diff.ts';

type TimesQuestion = Omit<ChangeImpactQuestion, 'connectorId' | 'asOf'> & {
  readonly workspace: WorkspaceId;
  readonly from: string;
  /** Null: now, or the moment of the page before. */
  readonly to: string | null;
  readonly limit: number;
  /** The `next_cursor` of the page before. */
  readonly cursor: string | null;
};

type Moments = Omit<TimesQuestion, 'to'> & { readonly to: string };
type Scan = Moments & { readonly start: ScanPosition };

/** A page ends after this many relations, so that it ends long before its caller's time does. */
const relationsPerPage = 2_000;

/** Edges that touch the connector, by pages. Removed ones are walked on the later graph. Throws `validation_error`. */
export async function diffTimes(
  query: GraphQuery<'sources' | 'unfinished'>,
  connector: Connector,
  question: TimesQuestion,
): Promise<Omit<LineageDiff, 'cost'>> {
  const { workspace, from } = question;
  const comparison = { ...question, connectorId: connector.id };
  const { to, start } = readDiffCursor(comparison, query.context.now);
  if (from >= to) {
    throw new Problem('validation_error', { errors: [{ path: '/query/from', message: 'must be before `to`' }] });
  }
  const times = { before: graphView(query, from), after: graphView(query, to) };
  const { sides, next } = await scanned(query, connector, { ...question, to, start });
  const compared = compareVersions(sides.before, sides.after);
  const changes = { ...compared, relations: await settled(times, { ...question, to }, compared) };
  const walking = { ...question, connectorId: connector.id, asOf: to };
  const breaks = impactFinder(times.after, walking, (edge) => edge);
  const graded = await gradeChanges(breaks, changes, query.context.isSpent);
  const verdicts = await changeVerdicts(times, changes);
  const diff = {
    workspace_id: workspace,
    connector_id: connector.id,
    from: momentOf(from),
    to: momentOf(to),
    not_evaluated: question.cursor === null && next === null ? nothingCompared(sides) : null,
    matched_by: null,
    ...showChanges(changes, graded, { byRequests: query.context.isSpent(), verdicts }),
    next_cursor: next && writeDiffCursor(comparison, { to, start: next }),
  };
  return withClaim(times.after, diff, { graded, hidden: breaks.hidden(), asOf: to, isPart: question.cursor !== null });
}

/** A graph that was empty at both moments shows nothing about what breaks. */
function nothingCompared({ before, after }: { readonly before: GraphVersion; readonly after: GraphVersion }) {
  if (before.edges.size + after.edges.size > 0) return null;
  const message = 'The connector had no edges at either time, so there is nothing to compare.';
  return { reason: 'no_base' as const, message, linked_projects: [] };
}

const momentOf = (at: string): LineageDiff['from'] => ({
  kind: 'moment',
  as_of: at,
  scope_key: null,
  last_complete_snapshot_at: null,
  found: true,
});

type EditableVersion = GraphVersion & { readonly edges: Map<string, VersionEdge> };
const emptyVersion = (): EditableVersion => ({ edges: new Map(), relations: new Set(), inventory: new Map() });

/** The edges into a page of relations at both moments; those that do not differ are kept too, for their columns. */
async function scanned(query: GraphQuery, connector: Connector, question: Scan) {
  const { from, to, limit, start } = question;
  const sides = { before: emptyVersion(), after: emptyVersion() };
  let [relations, changed] = [0, 0];
  for await (const { before, after, next } of scanTimes(query, { from, to, start })) {
    const [old, now] = [await edgesAt(connector, from, before), await edgesAt(connector, to, after)];
    for (const [name, edge] of old) sides.before.edges.set(name, versionEdge(edge));
    for (const [name, edge] of now) sides.after.edges.set(name, versionEdge(edge));
    changed += [...old.keys()].filter((name) => !now.has(name)).length;
    changed += [...now.keys()].filter((name) => !old.has(name)).length;
    if (++relations >= relationsPerPage || changed >= limit || query.context.isSpent(0.5)) return { sides, next };
  }
  return { sides, next: null as ScanPosition | null };
}

async function edgesAt(
  connector: Connector,
  asOf: string,
  node: ScannedNode<GraphQuery> | null,
): Promise<Map<string, EvaluatedEdge>> {
  if (!node) return new Map();
  const options = activeEdges(asOf, { withDetails: true });
  const touching = node.edges.filter((edge) => touches(edge, connector.id));
  const evaluated = followed(await edgeEvaluator(node.view, options).evaluate('in', touching));
  return new Map(evaluated.map((edge) => [edgeName({ from: edge.upstream, to: edge.downstream }), edge]));
}

function versionEdge({ upstream, downstream, evidence }: EvaluatedEdge): VersionEdge {
  const admitted = admittedOf(evidence);
  return { from: upstream, to: downstream, details: standingDetails(admitted.map(({ detail }) => detail)) };
}

type Times = { readonly before: GraphView; readonly after: GraphView };

/** A page only knows the edges into its relations: whether a relation came or went, its other edges tell too. */
async function settled(times: Times, question: Moments, { relations, edges }: Changes): Promise<RelationChange[]> {
  const built = new Set(edges.map(({ to }) => to));
  const found: RelationChange[] = [];
  for (const one of relations) {
    const { change, relation } = one;
    if (change === 'changed' || times.after.context.isSpent()) found.push(one);
    else if (change === 'added' && !(await isThere(times.before, question.from, relation))) found.push(one);
    else if (change === 'removed') {
      const remains = await isThere(times.after, question.to, relation);
      // Still read, and nothing makes it any more: its readers still get the previous state.
      if (!remains) found.push(one);
      else if (built.has(relation)) found.push({ ...one, change: 'changed' });
    }
  }
  return found;
}

/** Whether any active edge touches a relation at a moment. */
async function isThere(view: GraphView, asOf: string, relation: Urn): Promise<boolean> {
  const options = activeEdges(asOf, { withDetails: false });
  for (const side of ['out', 'in'] as const) {
    const expansion = await expand(view, { side, nodes: [relation] });
    for (let found = await expansion.next(50); found; found = await expansion.next(50)) {
      if (followed(await edgeEvaluator(view, options).evaluate(side, found)).length > 0) return true;
    }
  }
  return false;
}
