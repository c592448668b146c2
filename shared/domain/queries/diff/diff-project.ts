import type { DiffProject, LineageDiff } from '../../../contract/diff.ts';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { nodeId } from '../../graph/ids.ts';
import { type Urn, urnOf } from '../../graph/node.ts';
import type { ScopeStore } from '../../graph/scope-store.ts';
import type { Connector } from '../../identity/connector.ts';
import { analyseSql } from '../../sql/analyse-sql.ts';
import type { SqlParser } from '../../sql/types.ts';
import { type GraphView, graphView } from '../../traversal/graph-view.ts';
import { loadNameChains } from '../../traversal/name-chains.ts';
import { currentName } from '../../traversal/names.ts';
import type { TraversalPorts } from '../../traversal/ports.ts';
import { shownSql } from '../../traversal/shown-literals.ts';
import { type Branch, branchVersion, readBranch } from './branch.ts';
import { branchOverlay } from './branch-overlay.ts';
import { cached } from './cached-details.ts';
import { type ImpactFinder, impactFinder } from './change-impact.ts';
import { compareVersions } from './compare.ts';
import { compareModels } from './compare-models.ts';
import { gradeChanges } from './effects.ts';
import { type LiveProjectPorts, liveProject } from './live-project.ts';
import { type LiveScope, liveScope, type ScopePorts } from './live-scope.ts';
import { liveNames } from './match-models.ts';
import { notEvaluated } from './not-evaluated.ts';
import { readingVersion } from './reading.ts';
import { showChanges } from './show-diff.ts';
import { withModels } from './with-models.ts';

export type DiffProjectPorts = TraversalPorts &
  ScopePorts &
  LiveProjectPorts & {
    readonly scopes: Pick<ScopeStore, 'ofConnector'>;
    /** Loaded when a document with SQL first asks for it. */
    readonly sqlParser: () => Promise<SqlParser>;
  };

/**
 * What merging a branch would change of its live scope, and what that breaks. The walks go over the live graph, where
 * what the branch removes still is; of what the branch makes itself, the branch says what it will read.
 */
export async function diffProject(
  ports: DiffProjectPorts,
  connector: Connector,
  workspace: WorkspaceId,
  body: DiffProject,
): Promise<Omit<LineageDiff, 'cost'>> {
  const parser = await ports.sqlParser();
  const branch = branchOf(parser, connector, body);
  const view = graphView(ports, workspace, null);
  const scope = await liveScope(ports, view, workspace, branch.scopeKey);
  const documents = scope.head
    ? await liveProject(ports, { workspace, connector }, scope.head, scope.effective)
    : { projects: [], unread: null };
  const sides = {
    workspace_id: workspace,
    connector_id: connector.id,
    from: liveCompared(branch, scope, ports.now),
    to: branchCompared(branch),
    next_cursor: null,
  };
  const place = { workspace, connectorId: connector.id, scopeKey: branch.scopeKey };
  const reason = await notEvaluated(ports, place, scope, { branch: branch.project, live: documents });
  if (reason !== null) return { ...sides, ...nothingShown, grade: 'not_evaluated', not_evaluated: reason };
  const byModel = body.match_by === 'model';
  const nameOf = byModel ? liveNames(branch.declared, scope) : (urn: Urn) => urn;
  const models = compareModels(parser, { live: documents, branch: branch.project, nameOf, byModel });
  const live = { ...scope, side: { ...scope.side, relations: models.made } };
  const side = branchVersion(branch.declared, nameOf);
  const reading = readingVersion(branch, side, nameOf, compareVersions(live.side, side));
  // A model whose statement is as it was has not changed because a column that it reads is gone: it breaks.
  const compared = compareVersions(live.side, reading);
  const changes = withModels(
    compared,
    { before: live.side, after: reading },
    // A branch that is built elsewhere names other relations in every statement.
    models.differences.filter(
      ({ statement, settings }) => !byModel || statement?.kind !== 'same' || settings.length > 0,
    ),
  );
  const made = branch.declared.relations.flatMap(({ node, isMade }) => (isMade ? [nameOf(urnOf(node))] : []));
  const question = {
    workspace,
    connectorId: connector.id,
    asOf: null,
    maxDepth: body.max_depth,
    maxNodes: body.max_nodes,
  };
  const overlay = branchOverlay(live.side, reading, new Set(made));
  const breaks = impactFinder({ ...ports, details: cached(ports.details) }, view, question, overlay);
  const graded = await gradeChanges(fromShownNames(view, breaks), changes, ports.isSpent);
  const sql = shownSql(ports.connectors, [connector.id]);
  const isMasked = connector.expression_literals === 'masked';
  const shown = showChanges(changes, graded, { byRequests: ports.isSpent?.() ?? false, sql, isMasked });
  return { ...sides, not_evaluated: null, ...shown };
}

const nothingShown = showChanges(
  { relations: [], edges: [], columns: [], unknown: [] },
  { relations: [], columns: [] },
);

function branchOf(parser: SqlParser, connector: Connector, body: DiffProject): Branch {
  const analyse: BranchPorts['analyse'] = (text, options) => analyseSql(parser, text, options);
  return readBranch({ analyse }, connector, body);
}

type BranchPorts = Parameters<typeof readBranch>[0];

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
  const shown = async (relation: Urn) => {
    await view.nodes.load([nodeId(relation)]);
    await loadNameChains(view, [relation]);
    return currentName(relation, null, view.nodes.factsOf);
  };
  return {
    ofRelation: async (relation) => breaks.ofRelation(await shown(relation)),
    ofColumn: async (relation, column) => breaks.ofColumn(await shown(relation), column),
    ofMeaning: async (relation, column) => breaks.ofMeaning(await shown(relation), column),
    ofRows: async (relation) => breaks.ofRows(await shown(relation)),
  };
}
