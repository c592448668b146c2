import type { DiffProject, LineageDiff } from '../../../../contract/diff.ts';
import type { WorkspaceId } from '../../../../contract/ids.ts';
import { refOf, type Urn } from '../../graph/node.ts';
import type { Connector } from '../../names/connector.ts';
import type { ColumnPorts } from '../../sources/declared/declared.ts';
import { textToRead } from '../../sources/models/model-columns.ts';
import type { ModelLineage } from '../../sources/models/model-lineage.ts';
import type { ModelProject } from '../../sources/models/model-project.ts';
import { analyseSql } from '../../sql/analyse-sql.ts';
import type { PendingStatement, SqlParser } from '../../sql/types.ts';
import { shownSql } from '../../traversal/evidence.ts';
import { type GraphQuery, type GraphView, graphView, type Metering } from '../../traversal/graph-view.ts';
import { presentNames } from '../../traversal/names.ts';
import { answerMetered, connectorIn, type QueryReader } from '../../traversal/open-graph.ts';
import { type Branch, branchOverlay, readBranch } from './branch.ts';
import { type BranchChanges, branchChanges } from './branch-changes.ts';
import { type Graded, gradeChanges, type ImpactFinder, impactFinder } from './change-impact.ts';
import { changeVerdicts } from './change-verdicts.ts';
import { branchOfFiles } from './changed-files.ts';
import { nothingWalked, withClaim } from './diff-claim.ts';
import { type LiveProject, type LiveScope, liveColumns, liveProject, liveScope } from './live-scope.ts';
import { matchBranch } from './match-branch.ts';
import { filesNotCompared, notEvaluated, scopeOfProject } from './not-evaluated.ts';
import { modelsByName, ownersOf } from './owners.ts';
import type { SeedText } from './seed-contents.ts';
import { showChanges } from './show-diff.ts';
import { unalteredRelations } from './unaltered-relations.ts';

type DocumentQuery = GraphQuery<'deliveries' | 'payloads' | 'sources' | 'sqlParser' | 'unfinished'>;

/** If texts of seeds are given, the comparison proves what a change leaves as it is. It parses all models downstream for that. */
export type DiffOptions = { readonly seedText?: SeedText };

export const diffBranch = (
  reader: QueryReader & { readonly metering: Metering } & DiffOptions,
  workspace: WorkspaceId,
  project: DiffProject,
  now: Date,
): Promise<LineageDiff> =>
  answerMetered(reader, { workspace, now }, (query) =>
    diffProject(query, connectorIn(query, project.connector_id), workspace, project, reader),
  );

/** What a merge changes and breaks. Walks the live graph, which still has what the branch removes. */
export async function diffProject(
  query: DocumentQuery,
  connector: Connector,
  workspace: WorkspaceId,
  body: DiffProject,
  { seedText }: DiffOptions = {},
): Promise<Omit<LineageDiff, 'cost'>> {
  const view = graphView(query, null);
  const parser = await query.reader.sqlParser();
  const read = await readVersions(view, { parser, connector, workspace }, body);
  const { branch, scope, live, files } = read;
  const compared = {
    workspace_id: workspace,
    connector_id: connector.id,
    from: liveCompared(branch, scope, query.context.now),
    to: branchCompared(branch),
    next_cursor: null,
    ...(files && { files }),
  };
  const place = { connectorId: connector.id, scopeKey: branch.scopeKey };
  const matching = matchBranch({ matchBy: body.match_by, ...read });
  const reason = await notEvaluated(query, place, scope, { branch: branch.project, live, files, matching });
  if (reason !== null || typeof matching === 'string')
    return withClaim(
      view,
      { ...compared, ...nothingShown, grade: 'not_evaluated', not_evaluated: reason },
      nothingWalked,
    );
  const changes = branchChanges(parser, read, matching);
  const unaltered = seedText && unalteredRelations(parser, changes.models, seedText);
  const { graded, breaks, shown } = await gradedChanges(view, connector, body, changes, unaltered);
  const owners = ownersOf(graded, { edges: breaks.mayNameOwners(), models: modelsByName(read, matching) });
  const unread = shown.grade === 'safe' ? filesNotCompared(files) : null;
  const verdict = unread ? ({ grade: 'not_evaluated', not_evaluated: unread } as const) : { not_evaluated: null };
  const diff = { ...compared, ...shown, owners, matched_by: matching.by, ...verdict };
  return withClaim(view, diff, { graded, hidden: breaks.hidden(), asOf: null });
}

type DocumentView = GraphView<'deliveries' | 'payloads' | 'sources' | 'sqlParser' | 'unfinished'>;
type Place = { readonly parser: SqlParser; readonly connector: Connector; readonly workspace: WorkspaceId };

/** Both versions: of a whole document, or of the files of it that a branch changes. */
async function readVersions(view: DocumentView, { parser, connector, workspace }: Place, body: DiffProject) {
  const analyse = analysing(parser);
  const whole = body.files ? null : readBranch({ analyse }, connector, body);
  const scopeKey = whole?.scopeKey ?? (await scopeOfProject(view, connector.id, body.project_id));
  const scope = await liveScope(view, scopeKey);
  const live: LiveProject = scope.head
    ? await liveProject(view.reader, analyse, { workspace, connector }, scope.head, scope.effective)
    : { projects: [], unread: null };
  if (whole === null) return { scope, live, ...branchOfFiles({ parser, connector }, scopeKey, live, body.files ?? []) };
  if (live.lineage) parser.ahead?.(affectedStatements(live.lineage, whole.project));
  return { scope, live, branch: whole.declare(liveColumns(live, whole.project), live.lineage), files: undefined };
}

/** The live statements that a comparison always analyses: those that a branch changes, and all downstream. */
function affectedStatements(lineage: ModelLineage, { models }: ModelProject): PendingStatement[] {
  const branch = new Map(models.map(({ id, statement }) => [id, statement]));
  const affected = new Set<string>();
  return lineage.order.flatMap((model) => {
    const [before, after] = [model.statement, branch.get(model.id)];
    const isSame = before.kind === 'sql' && after?.kind === 'sql' && after.text === before.text;
    if (isSame && !model.dependsOn.some((id) => affected.has(id))) return [];
    affected.add(model.id);
    const { relations, inlined } = lineage.dependencies(model);
    const [dialect = null] = before.kind === 'sql' ? before.dialects : [];
    // Columns that are not listed wait for the statement that makes them.
    if (before.kind !== 'sql' || dialect === null || ![...relations, ...inlined].every(lineage.isListed)) return [];
    const members = [...relations, model].map((one) => ({
      id: one.id,
      names: one.names,
      columns: lineage.columnsOf(one),
    }));
    return [{ text: textToRead(before, relations), dialect, members }];
  });
}

/** What the changes break, as the answer shows it. */
async function gradedChanges(
  view: DocumentView,
  { id, expression_literals }: Connector,
  { max_depth: maxDepth, max_nodes: maxNodes }: DiffProject,
  { changes, before, after, created }: BranchChanges,
  unaltered?: ReadonlySet<Urn>,
) {
  const { context } = view;
  const question = { connectorId: id, asOf: null, maxDepth, maxNodes };
  const breaks = impactFinder(view, question, branchOverlay(before, after, created), unaltered);
  const graded = await gradeChanges(fromShownNames(view, breaks), changes, context.isSpent);
  const verdicts = await changeVerdicts({ before: view, after: view }, changes);
  const sql = shownSql(context.connectors, [id]);
  const isMasked = expression_literals === 'masked';
  const shown = showChanges(changes, graded, { byRequests: context.isSpent(), sql, isMasked, verdicts });
  return { graded, breaks, shown: unaltered ? withoutUnaltered(shown, graded, unaltered) : shown };
}

/** Leaves out the relations that are proven to hold the same, unless they are built otherwise. */
function withoutUnaltered<S extends Pick<LineageDiff, 'relations' | 'columns'>>(
  shown: S,
  { relations }: Graded,
  unaltered: ReadonlySet<Urn>,
): S {
  const same = new Set(
    relations.flatMap(({ relation, model }) =>
      unaltered.has(relation) && !model?.settings.length ? [refOf(relation)] : [],
    ),
  );
  const isAltered = ({ relation_ref }: { readonly relation_ref: string }) => !same.has(relation_ref);
  return { ...shown, relations: shown.relations.filter(isAltered), columns: shown.columns.filter(isAltered) };
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
