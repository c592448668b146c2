import type { AgentArtifact, ArtifactChanges } from '../../contract/agent-artifacts.ts';
import type { WorkspaceId } from '../../contract/ids.ts';
import { limits } from '../../contract/limits.ts';
import { activeEdges, relationFacts } from '../checks/relation-facts.ts';
import { relationRefOf, type Urn, urnOf } from '../graph/node.ts';
import type { Connector } from '../identity/connector.ts';
import { edgeName } from '../projection/edges.ts';
import { branchVersion } from '../queries/diff/branch.ts';
import { branchOverlay } from '../queries/diff/branch-overlay.ts';
import { cached } from '../queries/diff/cached-details.ts';
import { impactFinder } from '../queries/diff/change-impact.ts';
import { compareVersions } from '../queries/diff/compare.ts';
import { gradeChanges } from '../queries/diff/effects.ts';
import type { GraphVersion } from '../queries/diff/graph-version.ts';
import { showChanges } from '../queries/diff/show-diff.ts';
import { deriveModelProject } from '../sources/models/derive-model-project.ts';
import { analyseSql } from '../sql/analyse-sql.ts';
import type { KnownColumns, SqlParser } from '../sql/types.ts';
import { graphView } from '../traversal/graph-view.ts';
import type { TraversalPorts } from '../traversal/ports.ts';
import { type ProposedModel, projectOf, proposedModel } from './proposed-model.ts';

type ProposalContext = { readonly workspace: WorkspaceId; readonly connector: Connector; readonly parser: SqlParser };

type ProposedChanges =
  | { readonly changes: ArtifactChanges; readonly changes_unknown: null }
  | { readonly changes: null; readonly changes_unknown: string };

/** What an artifact's SQL would change of the live graph, and what would break downstream of it: as merging a branch. */
export async function proposedChanges(
  ports: TraversalPorts,
  { workspace, connector, parser }: ProposalContext,
  artifact: AgentArtifact,
): Promise<ProposedChanges> {
  const view = graphView(ports, workspace, null);
  const model = await proposedModel(ports, { workspace, connector, parser, view }, artifact);
  if ('unknown' in model) return { changes: null, changes_unknown: model.unknown };
  const relation = urnOf(model.made.node);
  const live = await liveVersion(ports, workspace, relation);
  const proposed = { ...(await proposedVersion(ports, workspace, parser, model)), relations: new Set([relation]) };
  const changes = compareVersions(live, proposed);
  const overlay = branchOverlay(live, proposed, new Set([relation]));
  const question = { workspace, connectorId: connector.id, asOf: null, maxDepth: depth.max, maxNodes: nodes.max };
  const breaks = impactFinder({ ...ports, details: cached(ports.details) }, view, question, overlay);
  const graded = await gradeChanges(breaks, changes);
  return {
    changes: {
      connector_id: connector.id,
      relation_ref: relationRefOf(model.made.node),
      is_in_graph: model.made.isInGraph,
      unknown_reads: model.reads.flatMap(({ name, isInGraph }) => (isInGraph ? [] : [name])),
      ...showChanges(changes, graded),
    },
    changes_unknown: null,
  };
}

const { depth, nodes } = limits.impact;

async function proposedVersion(
  ports: TraversalPorts,
  workspace: WorkspaceId,
  parser: SqlParser,
  model: ProposedModel,
): Promise<GraphVersion> {
  const reads = model.reads.map(({ node }) => urnOf(node));
  const columns = await wholeColumns(ports, workspace, reads);
  const declared = deriveModelProject(
    {
      analyse: (statement, options) => analyseSql(parser, statement, options),
      knownColumns: (node) => columns.get(urnOf(node)) ?? null,
    },
    projectOf(model),
  );
  return branchVersion(declared, (urn) => urn);
}

/** The columns of relations that the graph knows whole, so that `*` can be read. */
async function wholeColumns(
  ports: TraversalPorts,
  workspace: WorkspaceId,
  relations: readonly Urn[],
): Promise<ReadonlyMap<Urn, KnownColumns>> {
  const facts = relationFacts(ports, { workspace, relations, asOf: null });
  const found = [...(await facts.columns())].flatMap(([urn, columns]) =>
    columns && columns.size > 0 ? [[urn, { names: [...columns.values()], complete: true }] as const] : [],
  );
  return new Map(found);
}

/** What the live graph says of how one relation is made. */
async function liveVersion(ports: TraversalPorts, workspace: WorkspaceId, relation: Urn): Promise<GraphVersion> {
  const facts = relationFacts(ports, { workspace, relations: [relation], asOf: null });
  const edges = activeEdges((await facts.edges('in')).get(relation)).map(({ other, evidence }) => {
    const admitted = evidence.filter(({ disposition }) => disposition === 'admitted');
    return { from: other, to: relation, details: admitted.map(({ detail }) => detail) };
  });
  return { edges: new Map(edges.map((edge) => [edgeName(edge), edge])), relations: new Set(), inventory: new Map() };
}
