import type { DiffProject, LineageDiff } from '../../../../contract/diff.ts';
import type { WorkspaceId } from '../../../../contract/ids.ts';
import { limits } from '../../../../contract/limits.ts';
import { nodeId } from '../../graph/ids.ts';
import { nodeOf, relationRefOf, type Urn, urnOf } from '../../graph/node.ts';
import type { ScopeStore } from '../../graph/scope-store.ts';
import type { Connector } from '../../names/connector.ts';
import type { Declared } from '../../sources/declared/declared.ts';
import { analyseSql } from '../../sql/analyse-sql.ts';
import type { SqlParser } from '../../sql/types.ts';
import type { IsSpent } from '../../traversal/evaluate.ts';
import { shownSql } from '../../traversal/evidence.ts';
import { type GraphView, graphView } from '../../traversal/graph-view.ts';
import { currentName, loadNameChains } from '../../traversal/names.ts';
import { connectorIn, type GraphQueryPorts, openGraphWithPast } from '../../traversal/open-graph.ts';
import type { TraversalPorts } from '../../traversal/ports.ts';
import type { Cost, Metering } from '../answer-size.ts';
import { type Branch, branchOverlay, branchVersion, readBranch } from './branch.ts';
import { gradeChanges, type ImpactFinder, impactFinder } from './change-impact.ts';
import { type Changes, compareVersions } from './compare.ts';
import { compareModels } from './compare-models.ts';
import { cached, type GraphVersion, relationsOf, type VersionEdge } from './graph-version.ts';
import { type LiveProjectPorts, type LiveScope, liveProject, liveScope, type ScopePorts } from './live-scope.ts';
import { notEvaluated } from './not-evaluated.ts';
import { showChanges } from './show-diff.ts';
import { withModels } from './with-models.ts';

export type DiffBranchPorts = GraphQueryPorts &
  Pick<DiffProjectPorts, 'scopes' | 'details' | 'sqlParser' | 'deliveries' | 'payloads'> & {
    readonly metering: Metering;
  };

/** Whether a comparison has used up its share of the store's requests or read units. */
export const isSpent =
  (spent: () => Cost): IsSpent =>
  (share = 1) => {
    const { requests, read_units } = spent();
    return requests >= share * limits.diff.requests || read_units >= share * limits.readUnits.answer;
  };

/** Compares a branch with its live scope within the bounds of a comparison. Throws as `diffProject`, and `not_found` of a connector. */
export async function diffBranch(
  ports: DiffBranchPorts,
  workspace: WorkspaceId,
  project: DiffProject,
  now: Date,
): Promise<LineageDiff> {
  const { answer, cost } = await ports.metering(async (spent) => {
    const reading = await openGraphWithPast(ports, workspace, now);
    const connector = connectorIn(reading, project.connector_id);
    return diffProject({ ...reading, isSpent: isSpent(spent) }, connector, workspace, project);
  });
  return { ...answer, cost };
}

type DiffProjectPorts = TraversalPorts &
  ScopePorts &
  LiveProjectPorts & {
    readonly scopes: Pick<ScopeStore, 'ofConnector'>;
    /** Loaded when a document with SQL first asks for it. */
    readonly sqlParser: () => Promise<SqlParser>;
  };

/**
 * What merging a branch would change of its live scope, and what that breaks. The walks go over the live graph, where
 * what the branch removes still is; for relations that the branch builds, the branch defines their reads.
 */
export async function diffProject(
  ports: DiffProjectPorts,
  connector: Connector,
  workspace: WorkspaceId,
  body: DiffProject,
): Promise<Omit<LineageDiff, 'cost'>> {
  const parser = await ports.sqlParser();
  const branch = branchOf(parser, connector, body);
  const view = graphView(ports, null);
  const scope = await liveScope(ports, view, branch.scopeKey);
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
  const place = { connectorId: connector.id, scopeKey: branch.scopeKey };
  const reason = await notEvaluated(ports, place, scope, { branch: branch.project, live: documents });
  if (reason !== null) return { ...sides, ...nothingShown, grade: 'not_evaluated', not_evaluated: reason };
  const byModel = body.match_by === 'model';
  const nameOf = byModel ? liveNames(branch.declared, scope) : (urn: Urn) => urn;
  const models = compareModels(parser, { live: documents, branch: branch.project, nameOf, byModel });
  const live = { ...scope, side: { ...scope.side, relations: models.models } };
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
  const created = branch.declared.relations.flatMap(({ node, isMade }) => (isMade ? [nameOf(urnOf(node))] : []));
  const question = {
    connectorId: connector.id,
    asOf: null,
    maxDepth: body.max_depth,
    maxNodes: body.max_nodes,
  };
  const overlay = branchOverlay(live.side, reading, new Set(created));
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

/**
 * The live name of each relation of a branch that was built for another target, such as its own schema: a model is
 * the live relation that the model of that id makes; any other relation that is not live by its own name is the one live
 * relation with its last name part that no other matches.
 */
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
  const ref = relationRefOf(nodeOf(urn));
  return ref.slice(ref.lastIndexOf('.') + 1).toLowerCase();
};

/**
 * The branch by its models' reads, columns that the branch takes from other models included: a statement that names
 * such a column breaks. What a `*` brought in is no reader: the column goes from its model too, which is its own change.
 */
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

/** Each relation's columns, including those with unknown sources. */
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
