import * as v from 'valibot';

/** The layers of a warehouse, in the order of the data flow. */
export const layers = ['sources', 'staging', 'intermediate', 'marts', 'reporting', 'exposures'] as const;
export type Layer = (typeof layers)[number];

/** Which layer the schemas of a connector belong to, if their names do not tell. The first entry that fits counts. */
export const LayerRules = v.pipe(
  v.array(
    v.strictObject({
      /** A schema with or without its database, or the beginning of one before a final `*`. */
      schema: v.pipe(v.string(), v.minLength(1), v.maxLength(300)),
      layer: v.picklist(layers),
    }),
  ),
  v.maxLength(100),
);
export type LayerRules = v.InferOutput<typeof LayerRules>;

/** By the name of a schema, also behind the target's in dbt's `dev_staging`; any other is of the marts. */
const usualNames: readonly (readonly [RegExp, Layer])[] = [
  [/^(raw|source)|_(raw|sources?)(_|$)/i, 'sources'],
  [/^(stg|staging)|_(stg|staging)(_|$)/i, 'staging'],
  [/(^|_)int(ermediate)?(_|$)/i, 'intermediate'],
  [/^(rpt|report)|_(rpt|reports?|reporting)(_|$)/i, 'reporting'],
];

/** The parts of a chart's or dashboard's URN in DataHub, `urn:li:chart:(looker,elements.2)`; null if a text is none. */
export function exposureUrn(text: string): { readonly tool: string; readonly id: string } | null {
  const [, tool, id] = /^urn:li:(?:chart|dashboard):\((?:urn:li:dataPlatform:)?([^,()]+),([^()]+)\)$/.exec(text) ?? [];
  return tool !== undefined && id !== undefined ? { tool: tool.toLowerCase(), id } : null;
}

const isExposure = (relation: string): boolean => relation.startsWith('exposure.') || exposureUrn(relation) !== null;

/** The layer of a relation (C-RELATION-5). */
export function layerOf(relation: string, rules: LayerRules = []): Layer {
  if (isExposure(relation)) return 'exposures';
  const schema = schemaOf(relation);
  const name = nameOf(schema);
  const rule = rules.find((one) => fits(one.schema, schema) || fits(one.schema, name));
  return rule?.layer ?? usualNames.find(([pattern]) => pattern.test(name))?.[1] ?? 'marts';
}

function fits(pattern: string, schema: string): boolean {
  const [wanted, found] = [pattern.toLowerCase(), schema.toLowerCase()];
  return wanted.endsWith('*') ? found.startsWith(wanted.slice(0, -1)) : found === wanted;
}

/** The part of a name before its last: `shop.raw` of `shop.raw.orders`; a quoted part may hold dots. */
export function schemaOf(relation: string): string {
  const urn = exposureUrn(relation);
  if (urn) return urn.tool;
  const parts = relation.match(/"(?:[^"]|"")*"|[^."]+/g) ?? [relation];
  return parts.length > 1 ? parts.slice(0, -1).join('.') : relation.split('/').slice(0, -1).join('/');
}

/** The last part of a name. */
export function nameOf(relation: string): string {
  const urn = exposureUrn(relation);
  if (urn) return urn.id;
  const schema = schemaOf(relation);
  return schema === '' ? relation : relation.slice(schema.length + 1);
}
