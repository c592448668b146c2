import type { DiffProject, LineageDiff } from '../../../contract/diff.ts';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { nodeId } from '../../graph/ids.ts';
import { type Urn, urnOf } from '../../graph/node.ts';
import type { Connector } from '../../identity/connector.ts';
import { analyseSql } from '../../sql/analyse-sql.ts';
import type { SqlParser } from '../../sql/types.ts';
import { type GraphView, graphView } from '../../traversal/graph-view.ts';
import { loadNameChains } from '../../traversal/name-chains.ts';
import { currentName } from '../../traversal/names.ts';
import type { TraversalPorts } from '../../traversal/ports.ts';
import { type Branch, branchVersion, readBranch } from './branch.ts';
import { branchOverlay } from './branch-overlay.ts';
import { cached } from './cached-details.ts';
import { type ImpactFinder, impactFinder } from './change-impact.ts';
import { compareVersions } from './compare.ts';
import { gradeChanges } from './effects.ts';
import { type LiveScope, liveScope, type ScopePorts } from './live-scope.ts';
import { liveNames } from './match-models.ts';
import { readingVersion } from './reading.ts';
import { showChanges } from './show-diff.ts';

export type DiffProjectPorts = TraversalPorts &
  ScopePorts & {
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
  const branch = await branchOf(ports, connector, body);
  const view = graphView(ports, workspace, null);
  const live = await liveScope(ports, view, workspace, branch.scopeKey);
  const nameOf = body.match_by === 'model' ? liveNames(branch.declared, live) : (urn: Urn) => urn;
  const side = branchVersion(branch.declared, nameOf);
  const reading = readingVersion(branch, side, nameOf, compareVersions(live.side, side));
  // A model whose statement is as it was has not changed because a column that it reads is gone: it breaks.
  const changes = compareVersions(live.side, reading);
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
  return {
    workspace_id: workspace,
    connector_id: connector.id,
    from: liveCompared(branch, live, ports.now),
    to: branchCompared(branch),
    ...showChanges(changes, graded, ports.isSpent?.() ?? false),
    next_cursor: null,
  };
}

async function branchOf(ports: DiffProjectPorts, connector: Connector, body: DiffProject): Promise<Branch> {
  const parser = await ports.sqlParser();
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
  };
}
