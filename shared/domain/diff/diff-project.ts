import type { DiffProject, LineageDiff } from '../../contract/diff.ts';
import type { WorkspaceId } from '../../contract/ids.ts';
import { nodeId } from '../graph/ids.ts';
import type { ImpactPorts } from '../impact/ask.ts';
import { type GraphView, graphView } from '../impact/graph-view.ts';
import { shownName } from '../impact/names.ts';
import type { Connector } from '../lineage/connector.ts';
import { type Urn, urnOf } from '../lineage/node.ts';
import { analyseSql } from '../sql/analyse-sql.ts';
import type { SqlParser } from '../sql/types.ts';
import { type Branch, readBranch, sideOf } from './branch.ts';
import { type Breaks, breaksOn } from './breakage.ts';
import { compareSides } from './compare.ts';
import { gradeChanges } from './effects.ts';
import { type LiveScope, liveScope, type ScopePorts } from './live-scope.ts';
import { liveNames } from './match-models.ts';
import { branchOverlay } from './overlay.ts';
import { readingSide } from './reading.ts';
import { remembered } from './remembered-details.ts';
import { showChanges } from './show-diff.ts';

export type DiffProjectPorts = ImpactPorts &
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
  const parser = await ports.sqlParser();
  const analysing = {
    analyse: (...[text, options]: Parameters<Parameters<typeof readBranch>[0]['analyse']>) =>
      analyseSql(parser, text, options),
    knownColumns: () => null,
  };
  const branch = readBranch(analysing, connector, body);
  const view = graphView(ports, workspace, null);
  const live = await liveScope(ports, view, workspace, branch.scopeKey);
  const nameOf = body.match_by === 'model' ? liveNames(branch.declared, live) : (urn: Urn) => urn;
  const side = sideOf(branch.declared, nameOf);
  const reading = readingSide(branch, side, nameOf, compareSides(live.side, side));
  // A model whose statement is as it was has not changed because a column that it reads is gone: it breaks.
  const changes = compareSides(live.side, reading);
  const made = branch.declared.relations.flatMap(({ node, isMade }) => (isMade ? [nameOf(urnOf(node))] : []));
  const question = {
    workspace,
    connectorId: connector.id,
    asOf: null,
    maxDepth: body.max_depth,
    maxNodes: body.max_nodes,
  };
  const overlay = branchOverlay(live.side, reading, new Set(made));
  const breaks = breaksOn({ ...ports, details: remembered(ports.details) }, view, question, overlay);
  const graded = await gradeChanges(fromShownNames(view, breaks), changes);
  return {
    workspace_id: workspace,
    connector_id: connector.id,
    from: liveCompared(branch, live, ports.now),
    to: {
      kind: 'document',
      as_of: null,
      scope_key: branch.scopeKey,
      last_complete_snapshot_at: null,
      found: true,
    },
    ...showChanges(changes, graded),
    next_cursor: null,
  };
}

const liveCompared = ({ scopeKey }: Branch, { head }: LiveScope, now: string): LineageDiff['from'] => ({
  kind: 'scope',
  as_of: now,
  scope_key: scopeKey,
  last_complete_snapshot_at: head?.committedAt ?? null,
  found: head !== null,
});

/** A scope may know a relation by another name than the graph shows. */
function fromShownNames(view: GraphView, breaks: Breaks): Breaks {
  const shown = async (relation: Urn) => {
    await view.loadNodes([nodeId(relation)]);
    return shownName(relation, null, view.factsOf);
  };
  return {
    ofRelation: async (relation) => breaks.ofRelation(await shown(relation)),
    ofColumn: async (relation, column) => breaks.ofColumn(await shown(relation), column),
    ofMeaning: async (relation, column) => breaks.ofMeaning(await shown(relation), column),
  };
}
