import type { DiffProject, LineageDiff } from '../../../../contract/diff.ts';
import type { ConnectorId, WorkspaceId } from '../../../../contract/ids.ts';
import { compare } from '../../../base/collections.ts';
import { refOf, type Urn, urnOf } from '../../graph/node.ts';
import { zeroOrder } from '../../graph/order.ts';
import type { Connector } from '../../names/connector.ts';
import type { ColumnPorts, Declared } from '../../sources/declared/declared.ts';
import type { ModelProject } from '../../sources/models/model-project.ts';
import { analyseSql } from '../../sql/analyse-sql.ts';
import { shownSql } from '../../traversal/evidence.ts';
import { type GraphQuery, type GraphView, graphView, type Metering } from '../../traversal/graph-view.ts';
import { presentNames } from '../../traversal/names.ts';
import { answerMetered, connectorIn, type QueryReader } from '../../traversal/open-graph.ts';
import { type Branch, branchOverlay, branchVersion, readBranch } from './branch.ts';
import { gradeChanges, type ImpactFinder, impactFinder } from './change-impact.ts';
import { changeVerdicts } from './change-verdicts.ts';
import { type Changes, compareVersions } from './compare.ts';
import { compareModels } from './compare-models.ts';
import { type GraphVersion, relationsOf, type VersionEdge, withCachedDetails } from './graph-version.ts';
import { type LiveProject, type LiveScope, liveProject, liveScope } from './live-scope.ts';
import { showChanges } from './show-diff.ts';
import { withModels } from './with-models.ts';

type DocumentQuery = GraphQuery<'details' | 'deliveries' | 'payloads' | 'sqlParser'>;

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
  const analyse = (...[text, options]: Parameters<ColumnPorts['analyse']>) => analyseSql(parser, text, options);
  const branch = readBranch({ analyse }, connector, body);
  const view = graphView(query, null);
  const scope = await liveScope(view, branch.scopeKey);
  const documents = scope.head
    ? await liveProject(reader, { workspace, connector }, scope.head, scope.effective)
    : { projects: [], unread: null };
  const sides = {
    workspace_id: workspace,
    connector_id: connector.id,
    from: liveCompared(branch, scope, context.now),
    to: branchCompared(branch),
    next_cursor: null,
  };
  const place = { connectorId: connector.id, scopeKey: branch.scopeKey };
  const reason = await notEvaluated(query, place, scope, { branch: branch.project, live: documents });
  if (reason !== null) return { ...sides, ...nothingShown, grade: 'not_evaluated', not_evaluated: reason };
  const byModel = body.match_by === 'model';
  const nameOf = byModel ? liveNames(branch.declared, scope) : (urn: Urn) => urn;
  const models = compareModels(parser, { live: documents, branch: branch.project, nameOf, byModel });
  const live = { ...scope, side: { ...scope.side, relations: models.models } };
  const side = branchVersion(branch.declared, nameOf);
  const reading = readingVersion(branch, side, nameOf, compareVersions(live.side, side));
  // A model whose statement is as it was has not changed because a column that it reads is gone: it breaks.
  const compared = compareVersions(live.side, reading);
  // A branch that is built elsewhere names other relations in every statement.
  const differences = models.differences.filter(
    ({ statement, settings }) => !byModel || statement?.kind !== 'same' || settings.length > 0,
  );
  const changes = withModels(compared, { before: live.side, after: reading }, differences);
  const created = branch.declared.relations.flatMap(({ node, isMade }) => (isMade ? [nameOf(urnOf(node))] : []));
  const question = { connectorId: connector.id, asOf: null, maxDepth: body.max_depth, maxNodes: body.max_nodes };
  const overlay = branchOverlay(live.side, reading, new Set(created));
  const breaks = impactFinder(withCachedDetails(view), question, overlay);
  const graded = await gradeChanges(fromShownNames(view, breaks), changes, context.isSpent);
  const verdicts = await changeVerdicts({ before: view, after: view }, changes);
  const sql = shownSql(context.connectors, [connector.id]);
  const isMasked = connector.expression_literals === 'masked';
  const shown = showChanges(changes, graded, { byRequests: context.isSpent(), sql, isMasked, verdicts });
  return { ...sides, not_evaluated: null, ...shown };
}

const nothingShown = showChanges(
  { relations: [], edges: [], columns: [], unknown: [] },
  { relations: [], columns: [] },
);

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
    ofRelation: async (relation) => breaks.ofRelation(await shown(relation)),
    ofColumn: async (relation, column) => breaks.ofColumn(await shown(relation), column),
    ofMeaning: async (relation, column) => breaks.ofMeaning(await shown(relation), column),
    ofRows: async (relation) => breaks.ofRows(await shown(relation)),
  };
}

/** For branches of another target: models by id, others by the one live relation with their last name part. */
function liveNames({ derivations, relations }: Declared, live: LiveScope): (urn: Urn) => Urn {
  const liveUrns = relationsOf(live.side);
  const byModel = new Map([...live.producers].map(([urn, model]) => [model, urn]));
  const names = new Map<Urn, Urn>();
  for (const { output, producer } of derivations) {
    const urn = byModel.get(producer.name);
    if (urn !== undefined) names.set(urnOf(output), urn);
  }
  const used = new Set(names.values());
  const free = [...liveUrns].filter((urn) => !used.has(urn) && !live.producers.has(urn));
  const byTable = Map.groupBy(free, tableOf);
  for (const urn of relations.map(({ node }) => urnOf(node))) {
    if (names.has(urn) || liveUrns.has(urn)) continue;
    const [only, ...more] = byTable.get(tableOf(urn)) ?? [];
    if (only !== undefined && more.length === 0) names.set(urn, only);
  }
  return (urn) => names.get(urn) ?? urn;
}

const tableOf = (urn: Urn): string => {
  const ref = refOf(urn);
  return ref.slice(ref.lastIndexOf('.') + 1).toLowerCase();
};

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
  const outputs = outputsOf(side);
  const retained = branchVersion(former, nameOf);
  return { ...side, edges: new Map([...retained.edges].map(([name, edge]) => [name, ofOutputs(edge, outputs)])) };
}

function outputsOf({ edges }: GraphVersion): Map<Urn, Set<string>> {
  const outputs = new Map<Urn, Set<string>>();
  for (const { to, details } of edges.values()) {
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

type NotEvaluated = NonNullable<LineageDiff['not_evaluated']>;

/** Projects that are named: more is no help. */
const named = 20;

/** Why a branch cannot be compared with the live lineage; null if it can (C-DIFF-8). */
async function notEvaluated(
  query: GraphQuery,
  place: { readonly connectorId: ConnectorId; readonly scopeKey: string },
  { head }: Pick<LiveScope, 'head'>,
  { branch, live }: { readonly branch: ModelProject; readonly live: LiveProject },
): Promise<NotEvaluated | null> {
  const reason = reasonOf(head !== null && head.order !== zeroOrder, branch, live);
  if (reason === null) return null;
  const isDbt = branch.root === '/manifest';
  const projects = reason === 'no_base' ? await pushedProjects(query, place.connectorId) : [];
  const message = messageOf(reason, { isDbt, project: projectOf(place.scopeKey), projects });
  return { reason, message, linked_projects: projects };
}

function reasonOf(isFound: boolean, branch: ModelProject, live: LiveProject): NotEvaluated['reason'] | null {
  if (branch.models.every(({ isModel }) => !isModel)) return 'no_models';
  if (isUncompiled([branch])) return 'not_compiled';
  if (!isFound) return 'no_base';
  return isUncompiled(live.projects) && live.unread === null ? 'base_not_compiled' : null;
}

const uncompiled: ReadonlySet<string | null> = new Set(['compiled_code_unavailable', 'rendered_sql_unavailable']);

/** Of a compiled project one statement at least is known. */
function isUncompiled(projects: readonly ModelProject[]): boolean {
  const statements = projects.flatMap(({ models }) => models.flatMap(({ statement }) => statement));
  const missing = statements.filter((one) => one.kind === 'none' && uncompiled.has(one.reason));
  return missing.length > 0 && statements.every(({ kind }) => kind === 'none');
}

async function pushedProjects({ reader, context }: GraphQuery, connectorId: ConnectorId): Promise<string[]> {
  const heads = await reader.scopes.ofConnector(context.graph, connectorId, 200);
  const projects = heads.flatMap(({ scopeKey, order }) => (order === zeroOrder ? [] : (projectOf(scopeKey) ?? [])));
  return [...new Set(projects)].sort(compare).slice(0, named);
}

/** The project of a scope key, without the environment that SQLMesh adds. */
function projectOf(scopeKey: string): string | null {
  const [, , kind, ...name] = scopeKey.split(':');
  return kind === 'dbt-project' || kind === 'sqlmesh-project' ? name.join(':') : null;
}

type BranchProject = { readonly isDbt: boolean; readonly project: string | null; readonly projects: readonly string[] };

function messageOf(reason: NotEvaluated['reason'], { isDbt, project, projects }: BranchProject): string {
  const document = isDbt ? 'manifest' : 'project';
  switch (reason) {
    case 'no_models':
      return `The ${document} has no models. Check that it is the right file.`;
    case 'not_compiled':
      return isDbt
        ? 'The manifest is not compiled. Run `dbt compile` and try again.'
        : 'The project is not rendered. Export it with its rendered SQL and try again.';
    case 'base_not_compiled':
      return isDbt
        ? 'The manifest that was pushed is not compiled. Run `dbt compile` before `tributary push dbt`, then try again.'
        : 'The project that was pushed is not rendered. Push it with its rendered SQL, then try again.';
    case 'no_base': {
      const others =
        projects.length > 0 ? `Pushed projects: ${projects.join(', ')}.` : 'No project was pushed to this connector.';
      return `The project ${project ?? ''} was never pushed to this connector, so there is nothing to compare with. ${others}`;
    }
  }
}
