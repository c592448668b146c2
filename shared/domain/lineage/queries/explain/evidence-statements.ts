import type { ExplainedEvidence } from '../../../../contract/explain.ts';
import { valueAt } from '../../../../contract/field-errors.ts';
import type { DeliveryKind } from '../../../../contract/vocabulary.ts';
import type { EdgeDetail, StatementText } from '../../graph/derivation.ts';
import type { NamedDataset } from '../../names/resolve-dataset.ts';
import type { Dataset, Job } from '../../sources/openlineage/event.ts';
import { type ValidEvent, validateEvent } from '../../sources/openlineage/validate.ts';

export type EvidenceStatements = Pick<ExplainedEvidence, 'said_by' | 'sql' | 'parts'>;

/** The item of a payload that a piece of evidence comes from. */
type PayloadItem = {
  readonly kind: DeliveryKind;
  readonly detail: EdgeDetail;
  readonly sql: StatementText | null;
};

type ReadEvent = PayloadItem & {
  readonly body: unknown;
  readonly isDownstream: (dataset: NamedDataset) => boolean;
  /** Whether a dataset is a part of one of the two ends. */
  readonly isPart: (dataset: NamedDataset) => boolean;
};

/** Which statements of a declared document say that there is an edge: SQL, declared dependencies, facets. */
export function statementsOf({ kind, detail: { location, columns }, sql }: PayloadItem): EvidenceStatements {
  if (kind === 'datahub_catalog') {
    const entry = { kind: 'catalog_entry', name: null, pointer: location } as const;
    const pointer = `${location}/fineGrainedLineages`;
    const fine = { kind: 'facet', name: 'fineGrainedLineages', pointer } as const;
    return { said_by: columns.length > 0 ? [entry, fine] : [entry], sql: null, parts: [] };
  }
  const pointer = location + (kind === 'dbt_manifest' ? '/depends_on/nodes' : '/depends_on');
  const declaration = { kind: 'declared_dependency', name: null, pointer } as const;
  return {
    said_by: sql ? [declaration, { kind: 'sql', name: null, pointer: sql.pointer }] : [declaration],
    sql,
    parts: [],
  };
}

/** Which statements of an OpenLineage event say that there is an edge: its facets, else its inputs and outputs. */
export function observedBy({ body, detail: { location }, sql, isDownstream, isPart }: ReadEvent): EvidenceStatements {
  const read = validateEvent(valueAt(body, location));
  if (!read.valid) return { said_by: [], sql: null, parts: [] };
  const facets = facetsOf(read, location, isDownstream);
  const place = { kind: 'inputs_and_outputs', name: null, pointer: location } as const;
  return {
    said_by: facets.length > 0 ? facets : [place],
    sql,
    parts: datasetsOf(read).filter(isPart).map(nameOf).sort(),
  };
}

const datasetsOf = (read: ValidEvent): readonly NamedDataset[] =>
  (read.kind === 'DatasetEvent'
    ? [read.event.dataset]
    : [...(read.event.inputs ?? []), ...(read.event.outputs ?? [])]
  ).map(namedDataset);

const nameOf = ({ namespace, name }: NamedDataset): string => `${namespace}/${name}`;

function facetsOf(
  read: ValidEvent,
  location: string,
  isDownstream: ReadEvent['isDownstream'],
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

const namedDataset = ({ namespace, name, facets }: Dataset): NamedDataset => ({
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
