import * as v from 'valibot';
import { valueAt } from './field-errors.ts';
import { documentedAs, jsonObjectAs, text } from './fields.ts';
import { limits } from './limits.ts';

const bounds = limits.trackingPlan;
const jsonTypes = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const;
const type = v.picklist(jsonTypes);
const name = text(bounds.name);
const size = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const number = v.pipe(v.number(), v.finite());
const scalar = v.union([v.string(), v.number(), v.boolean(), v.null()], 'must be a string, number, boolean or null');

/** Every object inherits such a member, and valibot leaves them out of records. */
const inherited = ['__proto__', 'constructor', 'prototype'];
const namesNone = (value: unknown) =>
  typeof value !== 'object' || value === null || !inherited.some((one) => Object.hasOwn(value, one));

const isLocal = (ref: string): ref is `#/${string}` => /^#\/(\$defs|definitions)\/[\w.-]{1,200}$/.test(ref);

/** The keywords of JSON Schema that are evaluated. Any other is refused, so that no rule is ignored silently. */
const ownRules = {
  type: v.optional(
    v.lazy((input) =>
      Array.isArray(input) ? v.pipe(v.array(type), v.minLength(1), v.maxLength(jsonTypes.length)) : type,
    ),
  ),
  enum: v.optional(v.pipe(v.array(scalar), v.minLength(1), v.maxLength(bounds.values))),
  const: v.optional(scalar),
  minimum: v.optional(number),
  maximum: v.optional(number),
  exclusiveMinimum: v.optional(number),
  exclusiveMaximum: v.optional(number),
  minLength: v.optional(size),
  maxLength: v.optional(size),
  format: v.optional(v.literal('date-time', 'must be date-time: no other format is evaluated')),
  minItems: v.optional(size),
  maxItems: v.optional(size),
  minProperties: v.optional(size),
  maxProperties: v.optional(size),
  required: v.optional(v.pipe(v.array(name), v.maxLength(bounds.values))),
  $ref: v.optional(v.pipe(v.string(), v.guard(isLocal, 'must be #/$defs/NAME or #/definitions/NAME'))),
  // They say nothing about events.
  title: v.optional(v.string()),
  description: v.optional(v.string()),
  $comment: v.optional(v.string()),
  default: v.optional(v.unknown()),
  examples: v.optional(v.unknown()),
  deprecated: v.optional(v.boolean()),
};

type Schemas = { readonly [name: string]: PropertySchema };
export type SchemaRules = v.InferOutput<v.ObjectSchema<typeof ownRules, undefined>> & {
  readonly items?: PropertySchema | undefined;
  readonly properties?: Schemas | undefined;
  readonly additionalProperties?: PropertySchema | undefined;
  readonly allOf?: readonly PropertySchema[] | undefined;
  readonly anyOf?: readonly PropertySchema[] | undefined;
  readonly oneOf?: readonly PropertySchema[] | undefined;
  readonly not?: PropertySchema | undefined;
};
export type PropertySchema = boolean | SchemaRules;

/** The schema of an event's properties or traits. Only its root has definitions. */
export type EventSchema = SchemaRules & {
  readonly $defs?: Schemas | undefined;
  readonly definitions?: Schemas | undefined;
};

const isObject = (value: unknown) => !Array.isArray(value);

const byName = <T>(schema: v.GenericSchema<unknown, T>): v.GenericSchema<unknown, { readonly [name: string]: T }> =>
  v.pipe(
    v.unknown(),
    v.check(isObject, 'must be an object'),
    v.check(namesNone, `must not have one of the names ${inherited.join(', ')}`),
    v.record(name, schema, 'must be an object'),
  );

const schemaRule = 'must be a JSON Schema';

const schemaOf = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  v.pipe(
    v.unknown(),
    v.check(isObject, schemaRule),
    // Not a strict object: errors name the object of an unknown field, and here the keyword is the place.
    v.objectWithRest(entries, v.never('is not a keyword that tracking plans evaluate'), schemaRule),
  );

// By its input: the issues of a union would not say where in the schema they are.
const anySchema: v.GenericSchema<unknown, PropertySchema> = v.lazy((input) =>
  typeof input === 'boolean' ? v.boolean() : schemaOf(rules),
);
const several = v.pipe(v.array(anySchema), v.minLength(1), v.maxLength(bounds.alternatives));

const rules = {
  ...ownRules,
  items: v.optional(anySchema),
  properties: v.optional(byName(anySchema)),
  additionalProperties: v.optional(anySchema),
  allOf: v.optional(several),
  anyOf: v.optional(several),
  oneOf: v.optional(several),
  not: v.optional(anySchema),
};

type Measure = { readonly costOf: (schema: SchemaRules) => number; readonly most: number };

const inSchemas: Measure = { costOf: () => 1, most: bounds.schemas };

/** The steps of a schema that do not depend on how much a value holds. */
export const ownStepsOf = ({ enum: values = [], required = [], $ref }: SchemaRules): number =>
  1 + required.length + (values.length >> 2) + ($ref === undefined ? 0 : 8);

const inSteps: Measure = { costOf: ownStepsOf, most: bounds.ownSteps };

/** What the schemas within a schema cost, each `$ref` as often as it is used; infinite if one is too deep or names nothing. */
function sizeOf(root: EventSchema, schema: PropertySchema, measure: Measure, depth = 1): number {
  if (typeof schema === 'boolean') return 1;
  const { $ref, items, additionalProperties, not, properties = {}, allOf = [], anyOf = [], oneOf = [] } = schema;
  const target = $ref === undefined ? [] : [valueAt(root, $ref.slice(1)) as PropertySchema | undefined];
  const parts = [items, additionalProperties, not].filter((one) => one !== undefined);
  let total = measure.costOf(schema);
  for (const inner of [...target, ...parts, ...Object.values(properties), ...allOf, ...anyOf, ...oneOf]) {
    if (inner === undefined || depth === bounds.depth) return Number.POSITIVE_INFINITY;
    total += sizeOf(root, inner, measure, depth + 1);
    if (total > measure.most) return Number.POSITIVE_INFINITY;
  }
  return total;
}

const eventSchema: v.GenericSchema<unknown, EventSchema> = v.pipe(
  schemaOf({
    ...rules,
    $schema: v.optional(v.string()),
    $id: v.optional(v.string()),
    $defs: v.optional(byName(anySchema)),
    definitions: v.optional(byName(anySchema)),
  }),
  v.check(
    (schema) => sizeOf(schema, schema, inSchemas) <= inSchemas.most,
    `must have at most ${bounds.schemas} schemas, ${bounds.depth} levels deep, where each $ref counts as what it names`,
  ),
  v.check(
    (schema) => sizeOf(schema, schema, inSteps) <= inSteps.most || sizeOf(schema, schema, inSchemas) > inSchemas.most,
    `must have at most ${bounds.ownSteps} schemas, required names and quarters of listed values together`,
  ),
);

const described = {
  type: 'object',
  description: 'JSON Schemas of properties or traits by the name of the event, or by $page, $identify and $group.',
  additionalProperties: { type: 'object' },
};

const unnamed: ReadonlySet<string> = new Set(['$page', '$identify', '$group']);

/** A schema and the name that it is under are two levels. */
const jsonLevels = 2 * (bounds.depth + 2);
const isShallow = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((one) => isShallow(one, levels - 1)));

const eventSchemas = v.pipe(
  v.unknown(),
  documentedAs<unknown>(described),
  // First: what follows takes stack and time for each level and name.
  v.check((events) => isShallow(events, jsonLevels), `must be nested at most ${jsonLevels} levels deep`),
  v.check(
    (events) => Buffer.byteLength(JSON.stringify(events ?? null)) <= bounds.bytes,
    `must have at most ${bounds.bytes / 1_024} KiB as compact JSON`,
  ),
  byName(eventSchema),
  v.check((events) => Object.keys(events).length <= bounds.events, `must have at most ${bounds.events} events`),
  v.check(
    (events) => Object.keys(events).every((one) => !one.startsWith('$') || unnamed.has(one)),
    'must not have a name that begins with $, except $page, $identify and $group',
  ),
);

export const TrackingPlanMode = v.picklist(['off', 'warn', 'block']);

/** C-PLAN-1. */
export const TrackingPlan = v.strictObject({
  mode: TrackingPlanMode,
  /** False makes an event with a name that the plan does not have a violation. */
  additional_events: v.optional(v.boolean(), true),
  events: eventSchemas,
});
export type TrackingPlan = v.InferOutput<typeof TrackingPlan>;

/** A plan in answers. */
export const ShownTrackingPlan = v.object({ ...TrackingPlan.entries, events: jsonObjectAs(described) });
