import type { ColumnLineageFacet, InputField, Transformation } from './event.ts';
import { type InputMapping, transformationKindsOf, type UrnOf } from './input-mapping.ts';

/** The sources that a columnLineage facet names, of any published version: 1-0-0 to 1-2-0. */
export function columnLineageSources(facet: ColumnLineageFacet, urnOf: UrnOf): InputMapping[] {
  const fields = Object.entries(facet.fields ?? {}).flatMap(([column, { inputFields, ...deprecated }]) =>
    inputFields.flatMap((field) => sourcesOf(withDeprecated(field, deprecated), column, urnOf)),
  );
  const wide = (facet.dataset ?? []).flatMap((field) => sourcesOf(field, null, urnOf));
  return [...fields, ...wide];
}

function sourcesOf(field: InputField, outputColumn: string | null, urnOf: UrnOf): InputMapping[] {
  const input = urnOf(field);
  const kinds = transformationKindsOf(field.transformations, outputColumn);
  return kinds.map((kind) => ({ input, inputColumn: field.field, outputColumn, ...kind }));
}

type Deprecated = { readonly transformationType?: string; readonly transformationDescription?: string };

/** Until 1-1-0 a transformation stood on the output field, for all its inputs at once. */
function withDeprecated(field: InputField, { transformationType, transformationDescription }: Deprecated): InputField {
  if (transformationType === undefined || (field.transformations?.length ?? 0) > 0) return field;
  const transformation = deprecatedTransformation(transformationType.toUpperCase());
  const description = transformationDescription ? { description: transformationDescription } : {};
  return { ...field, transformations: [{ ...transformation, ...description }] };
}

function deprecatedTransformation(type: string): Transformation {
  if (type === 'MASKED') return { type: 'DIRECT', subtype: 'TRANSFORMATION', masking: true };
  return indirect.has(type)
    ? { type: 'INDIRECT', subtype: type }
    : { type: 'DIRECT', ...(direct.has(type) && { subtype: type }) };
}

const direct = new Set(['IDENTITY', 'TRANSFORMATION', 'AGGREGATION']);
const indirect = new Set(['FILTER', 'JOIN', 'GROUP_BY', 'SORT', 'WINDOW', 'CONDITIONAL']);
