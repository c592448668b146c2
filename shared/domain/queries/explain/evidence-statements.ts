import type { ExplainedEvidence } from '../../../contract/explain.ts';
import { valueAt } from '../../../contract/json-pointer.ts';
import type { DeliveryKind } from '../../../contract/vocabulary.ts';
import type { EdgeDetail } from '../../graph/detail-store.ts';
import type { NamedDataset } from '../../identity/resolve-dataset.ts';
import type { Dataset, Job, OutputDataset } from '../../sources/openlineage/event.ts';
import { type ValidEvent, validateEvent } from '../../sources/openlineage/validate.ts';

export type EvidenceStatements = Pick<ExplainedEvidence, 'said_by' | 'sql'>;

/** The item of a payload that a piece of evidence comes from. */
type PayloadItem = {
  readonly kind: DeliveryKind;
  readonly body: unknown;
  readonly detail: EdgeDetail;
  /** Whether a dataset is the downstream end of the edge. */
  readonly isDownstream: (dataset: NamedDataset) => boolean;
};

/** Longer statements are cut: the payload has the rest. */
const sqlShown = 10_000;

/** Which statements of the payload say that there is an edge: SQL, facets, declared dependencies. */
export function statementsOf(item: PayloadItem): EvidenceStatements {
  const { location } = item.detail;
  switch (item.kind) {
    case 'dbt_manifest':
      return declared(item, [`${location}/compiled_code`, `${location}/compiled_sql`], `${location}/depends_on/nodes`);
    case 'sqlmesh_project':
      return declared(item, [`${location}/rendered_sql`], `${location}/depends_on`);
    case 'datahub_catalog':
      return catalogEntry(item);
    case 'openlineage_event':
    case 'openlineage_batch':
      return observed(item);
  }
}

function declared({ body }: PayloadItem, statements: readonly string[], dependencies: string): EvidenceStatements {
  const sql = statements.flatMap((pointer) => statementAt(body, pointer) ?? [])[0] ?? null;
  const declaration = { kind: 'declared_dependency', name: null, pointer: dependencies } as const;
  return { said_by: sql ? [declaration, { kind: 'sql', name: null, pointer: sql.pointer }] : [declaration], sql };
}

function catalogEntry({ detail: { location, columns } }: PayloadItem): EvidenceStatements {
  const entry = { kind: 'catalog_entry', name: null, pointer: location } as const;
  const pointer = `${location}/fineGrainedLineages`;
  const fine = { kind: 'facet', name: 'fineGrainedLineages', pointer } as const;
  return { said_by: columns.length > 0 ? [entry, fine] : [entry], sql: null };
}

function observed({ body, detail: { location }, isDownstream }: PayloadItem): EvidenceStatements {
  const read = validateEvent(valueAt(body, location));
  if (!read.valid) return { said_by: [], sql: null };
  const facets = facetsOf(read, location, isDownstream);
  const told = { kind: 'inputs_and_outputs', name: null, pointer: location } as const;
  return {
    said_by: facets.length > 0 ? facets : [told],
    sql: statementAt(body, `${location}/job/facets/sql/query`),
  };
}

function facetsOf(
  read: ValidEvent,
  location: string,
  isDownstream: PayloadItem['isDownstream'],
): EvidenceStatements['said_by'] {
  if (read.kind === 'DatasetEvent') return lineageFacets(read.event.dataset, `${location}/dataset/facets`);
  const { job, outputs = [] } = read.event;
  return [
    ...outputs.flatMap((output, i) =>
      isDownstream(namedDataset(output)) ? lineageFacets(output, `${location}/outputs/${i}/facets`) : [],
    ),
    ...jobFacet(job, `${location}/job/facets`),
  ];
}

const namedDataset = ({ namespace, name, facets }: OutputDataset): NamedDataset => ({
  namespace,
  name,
  symlinks: facets?.symlinks?.identifiers ?? [],
});

const lineageFacets = ({ facets }: Dataset, place: string): EvidenceStatements['said_by'] =>
  (['columnLineage', 'lineage'] as const).flatMap((name) =>
    facets?.[name] ? [{ kind: 'facet' as const, name, pointer: `${place}/${name}` }] : [],
  );

const jobFacet = ({ facets }: Job, place: string): EvidenceStatements['said_by'] =>
  facets?.lineage ? [{ kind: 'facet', name: 'lineage', pointer: `${place}/lineage` }] : [];

function statementAt(body: unknown, pointer: string): EvidenceStatements['sql'] {
  const text = valueAt(body, pointer);
  if (typeof text !== 'string' || text.trim() === '') return null;
  return { text: text.slice(0, sqlShown), truncated: text.length > sqlShown, pointer };
}
