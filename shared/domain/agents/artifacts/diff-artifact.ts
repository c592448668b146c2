import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import type { AgentArtifact, ArtifactChanges, ArtifactDiff } from '../../../contract/agent-artifacts.ts';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { limits } from '../../../contract/limits.ts';
import { compare } from '../../base/collections.ts';
import { type Node, nodeOf, relationRefOf, type Urn, urnOf } from '../../lineage/graph/node.ts';
import type { Connector } from '../../lineage/names/connector.ts';
import { referencePlan } from '../../lineage/names/resolve-reference.ts';
import { edgeName } from '../../lineage/projection/edges.ts';
import { branchOverlay, branchVersion } from '../../lineage/queries/diff/branch.ts';
import { gradeChanges, impactFinder } from '../../lineage/queries/diff/change-impact.ts';
import { changeVerdicts } from '../../lineage/queries/diff/change-verdicts.ts';
import { compareVersions } from '../../lineage/queries/diff/compare.ts';
import { type GraphVersion, withCachedDetails } from '../../lineage/queries/diff/graph-version.ts';
import { showChanges } from '../../lineage/queries/diff/show-diff.ts';
import { deriveModelProject } from '../../lineage/sources/models/derive-model-project.ts';
import type { ExternalRelation, Model, ModelProject } from '../../lineage/sources/models/model-project.ts';
import { analyseSql } from '../../lineage/sql/analyse-sql.ts';
import type { SqlDialect } from '../../lineage/sql/dialect.ts';
import type { KnownColumns, RelationName, SqlAnalysis, SqlParser } from '../../lineage/sql/types.ts';
import { admittedOf } from '../../lineage/traversal/evidence.ts';
import {
  type GraphQuery,
  type GraphView,
  graphView,
  type Metering,
  type Traversal,
} from '../../lineage/traversal/graph-view.ts';
import { answerMetered, connectorIn, type QueryReader } from '../../lineage/traversal/open-graph.ts';
import { resolveRoot } from '../../lineage/traversal/traverse.ts';
import { activeEdges, relationFacts } from '../checks/scope.ts';
import { builtRelation, dialectsOf, isSql, plainSql, writtenName } from './artifact-sql.ts';
import { type ArtifactPorts, requireArtifact, showArtifact } from './keep-artifact.ts';

type DiffReader = Pick<ArtifactPorts, 'artifacts' | 'contents' | 'clock'> &
  QueryReader & { readonly metering: Metering };

type ArtifactQuestion = {
  readonly workspace: WorkspaceId;
  readonly id: string;
  /** The workspace's only one where it is not named. */
  readonly connectorId: string | null;
};

/** An artifact against its parent: the text, and for SQL what it reads, makes and changes. Throws `not_found`. */
export async function diffArtifact(
  reader: DiffReader,
  { workspace, id, connectorId }: ArtifactQuestion,
): Promise<ArtifactDiff> {
  const artifact = await showArtifact(reader, (await requireArtifact(reader.artifacts, workspace, id)).record);
  const known = artifact.parent_artifact_id && (await reader.artifacts.find(workspace, artifact.parent_artifact_id));
  const parent = known ? await showArtifact(reader, known.record) : null;
  const names = [
    parent ? `${artifact.path} (version ${parent.version})` : '/dev/null',
    `${artifact.path} (version ${artifact.version})`,
  ] as const;
  return {
    parent_artifact_id: artifact.parent_artifact_id,
    unified: createTwoFilesPatch(...names, parent?.content ?? '', artifact.content, '', '', {
      headerOptions: FILE_HEADERS_ONLY,
    }),
    lineage: isSql(artifact) ? await lineageOf(reader, artifact, parent) : null,
    ...(isSql(artifact) ? await changesOf(reader, workspace, connectorId, artifact) : notSql),
  };
}

const notSql = { changes: null, changes_unknown: 'It is no SQL.' };

async function changesOf(
  reader: DiffReader,
  workspace: WorkspaceId,
  connectorId: string | null,
  artifact: AgentArtifact,
): Promise<Pick<ArtifactDiff, 'changes' | 'changes_unknown'>> {
  const [only, ...others] = connectorId === null ? (await reader.namesOf(workspace)).connectors : [];
  const chosen = connectorId ?? (others.length === 0 ? only?.id : undefined);
  if (chosen === undefined)
    return { changes: null, changes_unknown: 'The workspace has several connectors. Choose one.' };
  const parser = await reader.sqlParser();
  const { cost: _, ...changes } = await answerMetered(reader, { workspace, now: reader.clock.now() }, (query) =>
    proposedChanges(query, { connector: connectorIn(query, chosen), parser }, artifact),
  );
  return changes;
}

async function lineageOf({ sqlParser }: DiffReader, artifact: AgentArtifact, parent: AgentArtifact | null) {
  const parser = await sqlParser();
  const after = analysed(parser, artifact);
  const before = parent && analysed(parser, parent);
  const [created, was] = [columnsOf(after), before ? columnsOf(before) : new Map<string, string>()];
  return {
    reads: after.reads?.map(writtenName).sort(compare) ?? null,
    writes: after.target && writtenName(after.target),
    columns_added: [...created.keys()].filter((column) => !was.has(column)),
    columns_removed: [...was.keys()].filter((column) => !created.has(column)),
    columns_changed: [...created]
      .filter(([column, sources]) => was.has(column) && was.get(column) !== sources)
      .map(([column]) => column),
    unresolved_reason: after.unresolvedReason ?? before?.unresolvedReason ?? null,
  };
}

function analysed(parser: SqlParser, artifact: AgentArtifact): SqlAnalysis {
  const [dialect = 'postgres'] = dialectsOf(artifact);
  return analyseSql(parser, plainSql(artifact), { dialect, columnsOf: () => null });
}

/** Each output column, and what reaches it as one text. */
const columnsOf = ({ outputs }: SqlAnalysis): Map<string, string> =>
  new Map(
    outputs.flatMap(({ column, sources }) => {
      if (column === null) return [];
      const sourceTexts = sources.map(({ relation, column: source, expression }) =>
        JSON.stringify([writtenName(relation), source, expression]),
      );
      return [[column, sourceTexts.sort(compare).join()]];
    }),
  );

type ProposalContext = { readonly connector: Connector; readonly parser: SqlParser };

type ProposedChanges =
  | { readonly changes: ArtifactChanges; readonly changes_unknown: null }
  | { readonly changes: null; readonly changes_unknown: string };

async function proposedChanges(
  query: GraphQuery<Traversal>,
  { connector, parser }: ProposalContext,
  artifact: AgentArtifact,
): Promise<ProposedChanges> {
  const view = graphView(query, null);
  const model = await proposedModel({ connector, parser, view }, artifact);
  if ('unknown' in model) return { changes: null, changes_unknown: model.unknown };
  const relation = urnOf(model.output.node);
  const live = await liveVersion(query, relation);
  const proposed = { ...(await proposedVersion(query, parser, model)), relations: new Set([relation]) };
  const changes = compareVersions(live, proposed);
  const overlay = branchOverlay(live, proposed, new Set([relation]));
  const question = { connectorId: connector.id, asOf: null, maxDepth: depth.max, maxNodes: nodes.max };
  const breaks = impactFinder(withCachedDetails(view), question, overlay);
  const graded = await gradeChanges(breaks, changes, query.context.isSpent);
  const verdicts = await changeVerdicts({ before: view, after: view }, changes);
  return {
    changes: {
      connector_id: connector.id,
      relation_ref: relationRefOf(model.output.node),
      is_in_graph: model.output.isInGraph,
      unknown_reads: model.reads.flatMap(({ name, isInGraph }) => (isInGraph ? [] : [name])),
      ...showChanges(changes, graded, { byRequests: query.context.isSpent(), verdicts }),
    },
    changes_unknown: null,
  };
}

const { depth, nodes } = limits.impact;

async function proposedVersion(
  query: GraphQuery<Traversal>,
  parser: SqlParser,
  model: ProposedModel,
): Promise<GraphVersion> {
  const reads = model.reads.map(({ node }) => urnOf(node));
  const columns = await wholeColumns(query, reads);
  const declared = deriveModelProject(
    {
      analyse: (statement, options) => analyseSql(parser, statement, options),
      knownColumns: (node) => columns.get(urnOf(node)) ?? null,
    },
    projectOf(model),
  );
  return branchVersion(declared, (urn) => urn);
}

async function wholeColumns(
  query: GraphQuery<Traversal>,
  relations: readonly Urn[],
): Promise<ReadonlyMap<Urn, KnownColumns>> {
  const facts = relationFacts(query, { relations, asOf: null });
  const found = [...(await facts.columns())].flatMap(([urn, columns]) =>
    columns && columns.size > 0 ? [[urn, { names: [...columns.values()], complete: true }] as const] : [],
  );
  return new Map(found);
}

async function liveVersion(query: GraphQuery<Traversal>, relation: Urn): Promise<GraphVersion> {
  const facts = relationFacts(query, { relations: [relation], asOf: null });
  const edges = activeEdges((await facts.detailed()).get(relation)).map(({ other, evidence }) => {
    const admitted = admittedOf(evidence);
    return { from: other, to: relation, details: admitted.map(({ detail }) => detail) };
  });
  return { edges: new Map(edges.map((edge) => [edgeName(edge), edge])), relations: new Set(), inventory: new Map() };
}

type Place = {
  readonly connector: Connector;
  readonly view: GraphView<Traversal>;
  readonly parser: SqlParser;
};

type NamedRelation = { readonly name: string; readonly node: Node; readonly isInGraph: boolean };

type ProposedModel = {
  readonly text: string;
  readonly dialects: readonly SqlDialect[];
  readonly reads: readonly (NamedRelation & { readonly written: RelationName })[];
  readonly output: NamedRelation;
};

/** Why nothing can be said of an artifact. */
type Unknown = { readonly unknown: string };

const unnamed = 'The artifact does not say which relation it builds. Set relation_ref in the metadata.';
const ambiguous = 'The artifact may build more than one relation. Set relation_ref in the metadata.';

async function proposedModel(place: Place, artifact: AgentArtifact): Promise<ProposedModel | Unknown> {
  const [text, dialects] = [plainSql(artifact), dialectsOf(artifact, place.connector.kind)];
  const [dialect = 'postgres'] = dialects;
  const { reads, target, unresolvedReason } = analyseSql(place.parser, text, { dialect, columnsOf: () => null });
  if (reads === null) return { unknown: unresolvedReason ?? 'Some of the relations that it reads are unknown.' };
  const created = await firstKnown(place, builtRelation(artifact, target));
  if (typeof created === 'string') return { unknown: created };
  const named = reads.map(async (written) => {
    const relation = await relationNamed(place, writtenName(written));
    return typeof relation === 'string' ? [] : [{ ...relation, written }];
  });
  return { text, dialects, reads: (await Promise.all(named)).flat(), output: created };
}

/** The relation of the first name that the graph knows, else of the last; a sentence where none is meant. */
async function firstKnown(place: Place, names: readonly string[]): Promise<NamedRelation | string> {
  let found: NamedRelation | string = unnamed;
  for (const name of names) {
    found = await relationNamed(place, name);
    if (typeof found !== 'string' && found.isInGraph) return found;
  }
  return found;
}

/** The relation of a name: as the graph knows it, else as the connector would name it; a sentence where none is meant. */
async function relationNamed({ connector, view }: Place, name: string): Promise<NamedRelation | string> {
  const { urn, fallbackReason } = await resolveRoot(view, connector, { relationRef: name });
  if (urn !== null) return { name, node: nodeOf(urn), isInGraph: true };
  if (fallbackReason === 'ambiguous') return ambiguous;
  const { candidates } = referencePlan([...view.context.connectors.values()], connector, name);
  const likely = candidates.findLast(({ node }) => node.kind === 'relation');
  return likely ? { name, node: likely.node, isInGraph: false } : unnamed;
}

function projectOf({ text, dialects, reads, output }: ProposedModel): ModelProject {
  const sources = reads.map(({ written, name, node }): ExternalRelation => {
    return { id: name, node, names: [written.map((part) => part.text)], columns: null };
  });
  const model: Model = {
    id: `model ${output.name}`,
    isModel: true,
    node: output.node,
    names: [],
    dependsOn: sources.map(({ id }) => id),
    statement: { kind: 'sql', text, dialects },
    statementKind: null,
    addedColumns: [],
    columns: null,
    location: '',
  };
  const reasons = {
    readsOutside: 'read_relation_unknown',
    inlinedColumnUnknown: 'inlined_column_unknown',
    inlinedDependency: null,
  };
  return { root: '', namespace: '', models: [model], sources, modelCount: 1, reasons };
}
