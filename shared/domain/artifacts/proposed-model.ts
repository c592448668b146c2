import type { AgentArtifact } from '../../contract/agent-artifacts.ts';
import type { WorkspaceId } from '../../contract/ids.ts';
import { type Node, nodeOf } from '../graph/node.ts';
import type { Connector } from '../identity/connector.ts';
import { referencePlan } from '../identity/resolve-reference.ts';
import type { ExternalRelation, Model, ModelProject } from '../sources/models/model-project.ts';
import { analyseSql } from '../sql/analyse-sql.ts';
import type { SqlDialect } from '../sql/dialect.ts';
import type { RelationName, SqlParser } from '../sql/types.ts';
import type { GraphView } from '../traversal/graph-view.ts';
import type { TraversalPorts } from '../traversal/ports.ts';
import { resolveRoot } from '../traversal/resolve-root.ts';
import { dialectsOf, madeRelation, plainSql, writtenName } from './artifact-sql.ts';

type Place = {
  readonly workspace: WorkspaceId;
  readonly connector: Connector;
  readonly view: GraphView;
  readonly parser: SqlParser;
};

/** A name of a statement, and the relation that it means. */
type NamedRelation = { readonly name: string; readonly node: Node; readonly isInGraph: boolean };

/** A statement, and the relations that it reads and makes. */
export type ProposedModel = {
  readonly text: string;
  readonly dialects: readonly SqlDialect[];
  readonly reads: readonly (NamedRelation & { readonly written: RelationName })[];
  readonly made: NamedRelation;
};

/** Why nothing can be said of an artifact. */
type Unknown = { readonly unknown: string };

const unnamed = 'Nothing says which relation it makes: name it as relation_ref in the metadata.';
const ambiguous = 'More than one relation may be meant that it makes: name it as relation_ref in the metadata.';

/** What the SQL of an artifact reads and makes, by the names of the graph. */
export async function proposedModel(
  ports: TraversalPorts,
  place: Place,
  artifact: AgentArtifact,
): Promise<ProposedModel | Unknown> {
  const [text, dialects] = [plainSql(artifact), dialectsOf(artifact, place.connector.kind)];
  const [dialect = 'postgres'] = dialects;
  const { reads, target, unresolvedReason } = analyseSql(place.parser, text, { dialect, columnsOf: () => null });
  if (reads === null) return { unknown: unresolvedReason ?? 'Not all that it reads is known.' };
  const made = await firstKnown(ports, place, madeRelation(artifact, target));
  if (typeof made === 'string') return { unknown: made };
  const named = reads.map(async (written) => {
    const relation = await relationNamed(ports, place, writtenName(written));
    return typeof relation === 'string' ? [] : [{ ...relation, written }];
  });
  return { text, dialects, reads: (await Promise.all(named)).flat(), made };
}

/** The relation of the first name that the graph knows, else of the last; a sentence where none is meant. */
async function firstKnown(
  ports: TraversalPorts,
  place: Place,
  names: readonly string[],
): Promise<NamedRelation | string> {
  let found: NamedRelation | string = unnamed;
  for (const name of names) {
    found = await relationNamed(ports, place, name);
    if (typeof found !== 'string' && found.isInGraph) return found;
  }
  return found;
}

/** The relation of a name: as the graph knows it, else as the connector would name it; a sentence where none is meant. */
async function relationNamed(
  ports: TraversalPorts,
  { workspace, connector, view }: Place,
  name: string,
): Promise<NamedRelation | string> {
  const { urn, fallbackReason } = await resolveRoot(ports, view, connector, { workspace, relationRef: name });
  if (urn !== null) return { name, node: nodeOf(urn), isInGraph: true };
  if (fallbackReason === 'ambiguous') return ambiguous;
  const { candidates } = referencePlan([...ports.connectors.values()], connector, name);
  const likely = candidates.findLast(({ node }) => node.kind === 'relation');
  return likely ? { name, node: likely.node, isInGraph: false } : unnamed;
}

/** The statement as a project of one model. */
export function projectOf({ text, dialects, reads, made }: ProposedModel): ModelProject {
  const sources = reads.map(({ written, name, node }): ExternalRelation => {
    return { id: name, node, names: [written.map((part) => part.text)], columns: null };
  });
  const model: Model = {
    id: `model ${made.name}`,
    isModel: true,
    node: made.node,
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
