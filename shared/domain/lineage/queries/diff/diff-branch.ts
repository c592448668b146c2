import type { DiffProject, LineageDiff } from '../../../../contract/diff.ts';
import type { WorkspaceId } from '../../../../contract/ids.ts';
import { type Urn, urnOf } from '../../graph/node.ts';
import type { Connector } from '../../names/connector.ts';
import type { ColumnPorts } from '../../sources/declared/declared.ts';
import type { Derived } from '../../sources/read-body.ts';
import { analyseSql } from '../../sql/analyse-sql.ts';
import type { SqlParser } from '../../sql/types.ts';
import { shownSql } from '../../traversal/evidence.ts';
import { type GraphQuery, type GraphView, graphView, type Metering } from '../../traversal/graph-view.ts';
import { presentNames } from '../../traversal/names.ts';
import { answerMetered, connectorIn, type QueryReader } from '../../traversal/open-graph.ts';
import { type Branch, branchOverlay, branchVersion, readBranch } from './branch.ts';
import { gradeChanges, type ImpactFinder, impactFinder } from './change-impact.ts';
import { changeVerdicts } from './change-verdicts.ts';
import { branchOfFiles } from './changed-files.ts';
import { type Changes, compareVersions, nothingSettled } from './compare.ts';
import { compareModels } from './compare-models.ts';
import { nothingWalked, withClaim } from './diff-claim.ts';
import { type GraphVersion, type VersionEdge, withCachedDetails } from './graph-version.ts';
import { type LiveProject, type LiveScope, liveColumns, liveProject, liveScope } from './live-scope.ts';
import { matchBranch } from './match-branch.ts';
import { filesNotCompared, notEvaluated, scopeOfProject } from './not-evaluated.ts';
import { showChanges } from './show-diff.ts';
import { withModels } from './with-models.ts';

type DocumentQuery = GraphQuery<'details' | 'deliveries' | 'payloads' | 'sources' | 'sqlParser' | 'unfinished'>;

export const diffBranch = (
  reader: QueryReader & { readonly metering: Metering },
  workspace: WorkspaceId,
  project: DiffProject,
  now: Date,
): Promise<LineageDiff> =>
  answerMetered(reader, { workspace, now }, (query) =>
    diffProject(query, connectorIn(query, project.connector_id), workspace, project),
  );

/** What a merge changes and breaks. Walks the live graph, which still has what the branch removes. */
export async function diffProject(
  query: DocumentQuery,
  connector: Connector,
  workspace: WorkspaceId,
  body: DiffProject,
): Promise<Omit<LineageDiff, 'cost'>> {
  const { reader, context } = query;
  const parser = await reader.sqlParser();
  const view = graphView(query, null);
  const whole = body.files ? null : readBranch({ analyse: analysing(parser) }, connector, body);
  const scopeKey = whole?.scopeKey ?? (await scopeOfProject(query, connector.id, body.project_id));
  const scope = await liveScope(view, scopeKey);
  const documents: LiveProject = scope.head
    ? await liveProject(reader, analysing(parser), { workspace, connector }, scope.head, scope.effective)
    : { projects: [], unread: null };
  const { branch, files } = whole
    ? { branch: whole.declare(liveColumns(documents, whole.project), documents.lineage), files: undefined }
    : branchOfFiles({ parser, connector }, scopeKey, documents, body.files ?? []);
  const sides = {
    workspace_id: workspace,
    connector_id: connector.id,
    from: liveCompared(branch, scope, context.now),
    to: branchCompared(branch),
    next_cursor: null,
    ...(files && { files }),
  };
  const place = { connectorId: connector.id, scopeKey };
  const matching = matchBranch({ matchBy: body.match_by, branch, scope, live: documents });
  const reason = await notEvaluated(query, place, scope, { branch: branch.project, live: documents, files, matching });
  if (reason !== null || typeof matching === 'string')
    return withClaim(view, { ...sides, ...nothingShown, grade: 'not_evaluated', not_evaluated: reason }, nothingWalked);
  const { nameOf } = matching;
  const models = compareModels(parser, { live: documents, branch: branch.project, matching });
  const live = { ...scope, side: { ...scope.side, relations: models.models } };
  const side = branchVersion(branch.declared, nameOf);
  const settled = documents.lineage ? settledIn(branch.declared, nameOf) : nothingSettled;
  const reading = readingVersion(branch, side, nameOf, compareVersions(live.side, side, settled));
  // A model whose statement is as it was has not changed because a column that it reads is gone: it breaks.
  const compared = compareVersions(live.side, reading, settled);
  const changes = withModels(compared, { before: live.side, after: reading }, models, settled);
  const created = branch.declared.relations.flatMap(({ node, isMade }) => (isMade ? [nameOf(urnOf(node))] : []));
  const question = {
    connectorId: connector.id,
    asOf: null,
    maxDepth: body.max_depth,
    maxNodes: body.max_nodes,
  };
  const overlay = branchOverlay(live.side, reading, new Set(created));
  const breaks = impactFinder(withCachedDetails(view), question, overlay);
  const graded = await gradeChanges(fromShownNames(view, breaks), changes, context.isSpent);
  const verdicts = await changeVerdicts({ before: view, after: view }, changes);
  const sql = shownSql(context.connectors, [connector.id]);
  const isMasked = connector.expression_literals === 'masked';
  const shown = showChanges(changes, graded, { byRequests: context.isSpent(), sql, isMasked, verdicts });
  const unknown = shown.grade === 'safe' ? filesNotCompared(files) : null;
  const diff = {
    ...sides,
    ...shown,
    matched_by: matching.by,
    grade: unknown ? ('not_evaluated' as const) : shown.grade,
    not_evaluated: unknown,
  };
  return withClaim(view, diff, { graded, hidden: breaks.hidden(), asOf: null });
}

const nothingShown = {
  ...showChanges({ relations: [], edges: [], columns: [], unknown: [] }, { relations: [], columns: [] }),
  matched_by: null,
};

const analysing =
  (parser: SqlParser): ColumnPorts['analyse'] =>
  (text, options) =>
    analyseSql(parser, text, options);

const liveCompared = ({ scopeKey }: Branch, { head }: LiveScope, now: string): LineageDiff['from'] => ({
  kind: 'scope',
  as_of: now,
  scope_key: scopeKey,
  last_complete_snapshot_at: head?.committedAt ?? null,
  found: head !== null,
});

const branchCompared = ({ scopeKey }: Branch): LineageDiff['to'] => ({
  kind: 'document',
  as_of: null,
  scope_key: scopeKey,
  last_complete_snapshot_at: null,
  found: true,
});

/** A scope may know a relation by another name than the graph shows. */
function fromShownNames(view: GraphView, breaks: ImpactFinder): ImpactFinder {
  const shown = async (relation: Urn) => (await presentNames(view, [relation])).get(relation) ?? relation;
  return {
    ...breaks,
    ofRelation: async (relation) => breaks.ofRelation(await shown(relation)),
    ofColumn: async (relation, column) => breaks.ofColumn(await shown(relation), column),
    ofMeaning: async (relation, column) => breaks.ofMeaning(await shown(relation), column),
    ofRows: async (relation) => breaks.ofRows(await shown(relation)),
  };
}

/** The relations whose lineage in one version is that of the version beside it, of all models that make them. */
function settledIn({ lineage, relations }: Derived, nameOf: (urn: Urn) => Urn): ReadonlySet<Urn> {
  const members = lineage ? [...lineage.order, ...lineage.sources] : [];
  const open = new Set(members.flatMap((one) => (one.node && !lineage?.isSettled(one) ? urnOf(one.node) : [])));
  return new Set(relations.flatMap(({ node }) => (open.has(urnOf(node)) ? [] : nameOf(urnOf(node)))));
}

/** The branch by what its models read. What `*` brought in is no reader: its column's removal is its own change. */
function readingVersion(
  branch: Branch,
  side: GraphVersion,
  nameOf: (urn: Urn) => Urn,
  { columns }: Changes,
): GraphVersion {
  const removed = columns.filter(({ change }) => change === 'removed');
  if (removed.length === 0) return side;
  const byRelation = Map.groupBy(removed, ({ relation }) => relation);
  const former = branch.withFormerColumns((node) =>
    (byRelation.get(nameOf(urnOf(node))) ?? []).map(({ column }) => column),
  );
  const settled = settledIn(former, nameOf);
  const retained = [...branchVersion(former, nameOf).edges].filter(([, { to }]) => !settled.has(to));
  const outputs = outputsOf([...side.edges.values()].filter(({ to }) => !settled.has(to)));
  return {
    ...side,
    edges: new Map([...side.edges, ...retained.map(([name, edge]) => [name, ofOutputs(edge, outputs)] as const)]),
  };
}

function outputsOf(edges: readonly VersionEdge[]): Map<Urn, Set<string>> {
  const outputs = new Map<Urn, Set<string>>();
  for (const { to, details } of edges) {
    const names = outputs.get(to) ?? new Set();
    outputs.set(to, names);
    for (const detail of details) {
      for (const { outputColumn } of [...(detail?.columns ?? []), ...(detail?.unresolved ?? [])]) {
        if (outputColumn !== null) names.add(outputColumn.toLowerCase());
      }
    }
  }
  return outputs;
}

const ofOutputs = ({ details, ...edge }: VersionEdge, outputs: ReadonlyMap<Urn, ReadonlySet<string>>): VersionEdge => ({
  ...edge,
  details: details.map(
    (detail) =>
      detail && {
        ...detail,
        columns: detail.columns.filter(
          ({ outputColumn }) => outputColumn === null || outputs.get(edge.to)?.has(outputColumn.toLowerCase()),
        ),
      },
  ),
});
