import type { DiffProject } from '../../../../contract/diff.ts';
import { Problem } from '../../../../contract/problems.ts';
import { once } from '../../../base/caching.ts';
import { type Node, type Urn, urnOf } from '../../graph/node.ts';
import type { RelationSchema } from '../../graph/schema.ts';
import { dbtScope, sqlmeshScope } from '../../ingest/scope-names.ts';
import type { Connector } from '../../names/connector.ts';
import { edgeName, edgesOf } from '../../projection/edges.ts';
import { type ColumnPorts, type Declared, schemaOf } from '../../sources/declared/declared.ts';
import type { ModelLineage } from '../../sources/models/model-lineage.ts';
import type { ModelProject } from '../../sources/models/model-project.ts';
import { snapshotProblem } from '../../sources/other-file.ts';
import { type DeclaredDocument, type Derived, declaredFieldErrors, readDeclared } from '../../sources/read-body.ts';
import { reference } from '../../sql/types.ts';
import type { EvaluatedEdge } from '../../traversal/evaluate.ts';
import type { GraphVersion } from './graph-version.ts';

/** A branch's project, not accepted. */
export type Branch = {
  /** The live scope that it would replace. */
  readonly scopeKey: string;
  readonly declared: Derived;
  readonly project: ModelProject;
  /** What it states if relations still had the columns that it takes from them. */
  readonly withFormerColumns: (formerColumns: NonNullable<ColumnPorts['formerColumns']>) => Derived;
};

/** A catalogue has no models; `documentOf` makes none. */
export const emptyProject: ModelProject = {
  root: '',
  namespace: '',
  models: [],
  sources: [],
  modelCount: 0,
  reasons: { readsOutside: '', inlinedColumnUnknown: '', inlinedDependency: null },
};

const listedErrors = 100;

/** A document that is read; its statements are not yet. */
type ReadBranch = Pick<Branch, 'scopeKey' | 'project'> & {
  /** @param live the lineage of the live project, if it was read: what is the same is not derived again */
  readonly declare: (knownColumns: NonNullable<ColumnPorts['knownColumns']>, live?: ModelLineage) => Branch;
};

/** Throws `validation_error`, or `lineage_snapshot_invalid` for an unreadable part, which would pass for removed. */
export function readBranch(ports: Pick<ColumnPorts, 'analyse'>, connector: Connector, body: DiffProject): ReadBranch {
  const document = documentOf(body);
  const fieldErrors = declaredFieldErrors(document);
  if (fieldErrors.length > 0) throw new Problem('validation_error', { errors: fieldErrors });
  const reading = readDeclared({ connector, connectors: [connector], importSource: '' }, document);
  const problem = snapshotProblem(reading.otherFile, reading.shapeErrors.slice(0, listedErrors));
  if (problem !== null) throw problem;
  const place = {
    scopeKey: `connector:${connector.id}:${scopeNameOf(body)}`,
    project: reading.project ?? emptyProject,
  };
  return {
    ...place,
    declare: (knownColumns, live) => {
      const own = { ...ports, knownColumns, skimsStatements: true };
      const declared = reading.derive(own, live);
      return {
        ...place,
        declared,
        withFormerColumns: (formerColumns) => reading.derive({ ...own, formerColumns }, declared.lineage),
      };
    },
  };
}

function documentOf({ manifest, catalog, project }: DiffProject): DeclaredDocument {
  if (manifest) return { kind: 'dbt_manifest', manifest, catalog };
  if (project) return { kind: 'sqlmesh_project', project };
  throw new Problem('validation_error', { errors: [{ path: '/manifest', message: 'or a project is required' }] });
}

const scopeNameOf = ({ manifest, project, project_id, environment }: DiffProject): string =>
  manifest ? dbtScope(project_id) : sqlmeshScope(project_id, environment ?? project?.['environment']);

/** The branch as a graph to compare, its relations under the names that `nameOf` gives them. */
export function branchVersion(declared: Declared, nameOf: (urn: Urn) => Urn): GraphVersion {
  const { derivations, relations } = declared;
  const named = (node: Node) => nameOf(urnOf(node));
  const claims = edgesOf(derivations, { deliveryId: '', observedAt: '', unmappedIsUnknown: false });
  return {
    edges: new Map(
      claims.map(({ from, to, detail }) => {
        const edge = { from: nameOf(from), to: nameOf(to), details: [detail] };
        return [edgeName(edge), edge];
      }),
    ),
    relations: new Set(relations.map(({ node }) => named(node))),
    made: new Set(relations.flatMap(({ node, isMade }) => (isMade ? named(node) : []))),
    inventory: inventoryOf(declared, nameOf),
  };
}

/** The whole column lists, each read when it is needed: a statement may have to tell it. */
function inventoryOf(declared: Declared, nameOf: (urn: Urn) => Urn): GraphVersion['inventory'] {
  const urns = declared.relations.map(({ node }) => urnOf(node));
  const own = new Map(urns.map((urn) => [nameOf(urn), once(() => wholeList(schemaOf(declared, urn)))]));
  const get = (urn: Urn) => own.get(urn)?.() ?? undefined;
  return { get, has: (urn) => get(urn) !== undefined };
}

const wholeList = (schema: RelationSchema | null): ReadonlySet<string> | null =>
  schema?.complete && schema.stars.length === 0 ? new Set(schema.columns.map(({ name }) => name.toLowerCase())) : null;

/** What a change not yet made would make of an edge; null if it would no longer be. */
export type Overlay = (edge: EvaluatedEdge) => EvaluatedEdge | null;

/** The live graph under a branch. Only the branch says what its relations read; a relation that it removes reads nothing. */
export function branchOverlay(live: GraphVersion, branch: GraphVersion, branchTargets: ReadonlySet<Urn>): Overlay {
  const liveTargets = new Set([...live.edges.values()].map(({ to }) => to));
  return (edge) => {
    const { upstream: from, downstream: to } = edge;
    if (!branchTargets.has(to)) return liveTargets.has(to) ? null : edge;
    const claimed = branch.edges.get(edgeName({ from, to }));
    if (!claimed) return null;
    const [word] = edge.evidence;
    const detail = claimed.details[0];
    if (!word || !detail) return edge;
    const full = { ...emptyDetail, ...word.detail, columns: detail.columns, unresolved: detail.unresolved };
    return { ...edge, evidence: [{ ...word, disposition: 'admitted', detail: full }] };
  };
}

const emptyDetail = {
  producer: { namespace: '', name: '' },
  deliveryId: '',
  location: '',
  observedAt: '',
  statementKind: null,
  principal: null,
};

/** One overlay on what another leaves. */
export const also =
  (first: Overlay, then: Overlay): Overlay =>
  (edge) => {
    const found = first(edge);
    return found && then(found);
  };

/** Without the columns that a statement names and does not use: what they mean is nothing to it. */
export const usedOnly: Overlay = (edge) => ({
  ...edge,
  evidence: edge.evidence.map(({ detail, ...one }) => ({
    ...one,
    detail: detail && { ...detail, columns: detail.columns.filter(({ subtype }) => subtype !== reference) },
  })),
});

/** Only what mappings prove: evidence that leaves columns open is taken to map no more than it does. */
export const provenOnly: Overlay = (edge) => ({
  ...edge,
  evidence: edge.evidence.flatMap((one) => (one.detail ? [{ ...one, detail: { ...one.detail, unresolved: [] } }] : [])),
});
