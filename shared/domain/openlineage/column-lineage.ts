import type { ColumnLineageFacet, InputField, Transformation } from './event.ts';
import { type Source, type UrnOf, waysOf } from './source.ts';

/** The sources that a columnLineage facet names, of any published version: 1-0-0 to 1-2-0. */
export function columnLineageSources(facet: ColumnLineageFacet, urnOf: UrnOf): Source[] {
  const fields = Object.entries(facet.fields ?? {}).flatMap(([column, { inputFields, ...deprecated }]) =>
    inputFields.flatMap((field) => sourcesOf(withDeprecated(field, deprecated), column, urnOf)),
  );
  const wide = (facet.dataset ?? []).flatMap((field) => sourcesOf(field, null, urnOf));
  return [...fields, ...wide];
}

function sourcesOf(field: InputField, outputColumn: string | null, urnOf: UrnOf): Source[] {
  const input = urnOf(field);
  const ways = waysOf(field.transformations, outputColumn);
  return ways.map((way) => ({ input, inputColumn: field.field, outputColumn, ...way }));
}

/** Until 1-1-0 a transformation stood on the output field, for all its inputs at once. */
function withDeprecated(field: InputField, { transformationType }: { transformationType?: string }): InputField {
  if (transformationType === undefined || (field.transformations?.length ?? 0) > 0) return field;
  return { ...field, transformations: [deprecatedTransformation(transformationType.toUpperCase())] };
}

function deprecatedTransformation(type: string): Transformation {
  if (type === 'MASKED') return { type: 'DIRECT', subtype: 'TRANSFORMATION', masking: true };
  return indirect.has(type)
    ? { type: 'INDIRECT', subtype: type }
    : { type: 'DIRECT', ...(direct.has(type) && { subtype: type }) };
}

const direct = new Set(['IDENTITY', 'TRANSFORMATION', 'AGGREGATION']);
const indirect = new Set(['FILTER', 'JOIN', 'GROUP_BY', 'SORT', 'WINDOW', 'CONDITIONAL']);
