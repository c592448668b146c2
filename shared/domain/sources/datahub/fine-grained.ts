import type { ColumnMapping, Unresolved } from '../../graph/derivation.ts';
import type { Node } from '../../graph/node.ts';
import { parseDatasetUrn, parseFieldUrn } from '../../identity/datahub-urn.ts';
import type { CatalogEntry } from './export.ts';
import { transformationOf } from './transform-operation.ts';

export type FineGrained = CatalogEntry['fineGrained'][number];

/** A catalog may repeat all mappings of an output on each of its entries: those of other inputs belong to other entries. */
export function mappingsOf(input: Node, { upstreamUrn, downstreamUrn }: CatalogEntry, fine: FineGrained) {
  const transformation = transformationOf(fine.transformOperation ?? '');
  const inputs = columnsOf(fine.upstreams, upstreamUrn);
  return columnsOf(fine.downstreams, downstreamUrn).flatMap((outputColumn) =>
    inputs.flatMap((inputColumn): ColumnMapping[] =>
      upstreamUrn === downstreamUrn && inputColumn === outputColumn
        ? []
        : [{ input, inputColumn, outputColumn, type: 'DIRECT', ...transformation }],
    ),
  );
}

/** Whether an entry of a dataset and itself says that a column is computed from another, as BI tools and metric views do. */
export const mapsWithin = ({ upstreamUrn, downstreamUrn, fineGrained }: CatalogEntry): boolean =>
  fineGrained.some(({ upstreams, downstreams }) => {
    const [inputs, outputs] = [columnsOf(upstreams, upstreamUrn), columnsOf(downstreams, downstreamUrn)];
    return inputs.length > 0 && outputs.length > 0 && new Set([...inputs, ...outputs]).size > 1;
  });

/**
 * Why outputs of an entry are not wholly known: an input cannot be read, is named without a column, or belongs to a
 * dataset that no entry states to feed the output, as a column lineage that names no input of its job (C-IMPACT-7).
 */
export function unresolvedOf(
  { upstreamUrn, downstreamUrn }: CatalogEntry,
  { upstreams, downstreams }: FineGrained,
  isStated: (upstreamUrn: string) => boolean,
): Unresolved[] {
  const reasons = [
    ...(upstreams ?? []).map((urn) => missingOf(urn, upstreamUrn, isStated)),
    ...(downstreams ?? []).map((urn) => (parseFieldUrn(urn) ? null : malformed)),
  ];
  const outputs: (string | null)[] = columnsOf(downstreams, downstreamUrn);
  return [...new Set(reasons)].flatMap((reason) =>
    reason === null ? [] : (outputs.length > 0 ? outputs : [null]).map((outputColumn) => ({ outputColumn, reason })),
  );
}

const malformed = 'field_urn_malformed';

function missingOf(urn: string, upstreamUrn: string, isStated: (upstreamUrn: string) => boolean): string | null {
  const field = parseFieldUrn(urn);
  const dataset = field?.dataset ?? (parseDatasetUrn(urn) ? urn : null);
  if (dataset === null) return malformed;
  if (dataset !== upstreamUrn) return isStated(dataset) ? null : 'column_source_outside_inputs';
  return field ? null : 'source_column_not_given';
}

function columnsOf(urns: readonly string[] | null | undefined, dataset: string): string[] {
  const fields = (urns ?? []).map(parseFieldUrn);
  return fields.flatMap((field) => (field?.dataset === dataset ? [field.field] : []));
}
