import { jsonPointer, valueAt } from '../../contract/field-errors.ts';
import { limits } from '../../contract/limits.ts';
import type { FieldError } from '../../contract/problems.ts';
import type { EventSchema, PropertySchema, SchemaRules, TrackingPlan } from '../../contract/tracking-plan.ts';
import { isJsonObject } from '../base/json/read-json.ts';
import { isTimestamp } from '../base/time/timestamp.ts';

/** A place that a schema names, and its rule that a value breaks. Neither holds anything of the event. */
type Broken = { readonly place: string; readonly rule: string };
type Walk = { readonly root: EventSchema; steps: number };

const none: readonly Broken[] = [];
const { steps: maxSteps } = limits.trackingPlan;

/** A violation of a tracking plan, with the text that it is counted under. */
export class PlanViolation implements FieldError {
  readonly path: string;
  readonly message: string;
  readonly #counted: string;

  constructor(eventPath: string, eventName: string, { place, rule }: Broken) {
    this.path = eventPath + place;
    this.message = `${rule} (tracking plan)`;
    this.#counted = `${eventName && `${eventName}: `}${place} ${rule}`;
  }

  /** On the prototype, so that answers leave it out. */
  get counted(): string {
    return this.#counted;
  }
}

/** The violations of a stored line, each place and rule once; `path` is that of the event in its request (C-PLAN-3). */
export function planViolations(plan: TrackingPlan, line: string, path: string): readonly PlanViolation[] {
  const event: unknown = JSON.parse(line);
  if (!isJsonObject(event)) return [];
  const { type } = event;
  const name = typeof event['event'] === 'string' ? event['event'] : `$${String(type)}`;
  if (!Object.hasOwn(plan.events, name)) {
    const isRefused = type === 'track' && !plan.additional_events;
    return isRefused ? [new PlanViolation(path, '', { place: '/event', rule: 'is not a planned event' })] : [];
  }
  const root = plan.events[name] ?? {};
  const container = type === 'track' || type === 'page' ? 'properties' : 'traits';
  const walk = { root, steps: 0 };
  const place = `/${container}`;
  const broken = brokenRules(walk, root, event[container] ?? {}, place);
  const found = walk.steps > maxSteps ? [{ place, rule: `must take at most ${maxSteps} steps to check` }] : broken;
  const unique = new Map(found.map((one) => [`${one.place} ${one.rule}`, one]));
  return [...unique.values()].map((one) => new PlanViolation(path, name, one));
}

function brokenRules(walk: Walk, schema: PropertySchema, value: unknown, place: string): readonly Broken[] {
  if (schema === true) return none;
  if (schema === false) return [{ place, rule: 'is not allowed' }];
  walk.steps += costOf(schema, value);
  if (walk.steps > maxSteps) return none;
  const { $ref, allOf } = schema;
  const own = [...anyTypeRules(schema, value), ...typeRules(schema, value)].filter((rule) => rule !== false);
  const target = $ref === undefined ? true : (valueAt(walk.root, $ref.slice(1)) as PropertySchema);
  return [
    ...own.map((rule) => ({ place, rule })),
    ...choiceRules(walk, schema, value).map((rule) => ({ place, rule })),
    ...brokenRules(walk, target, value, place),
    ...(allOf === undefined ? none : allOf.flatMap((one) => brokenRules(walk, one, value, place))),
    ...(Array.isArray(value) ? brokenItems(walk, schema, value, place) : none),
    ...(isJsonObject(value) ? brokenProperties(walk, schema, value, place) : none),
  ];
}

/** The time that the rules of one schema take, where 1 is that of a short one. */
const costOf = ({ enum: values = [], minLength, maxLength }: SchemaRules, value: unknown): number =>
  1 +
  (values.length >> 4) +
  (typeof value === 'string' && (minLength ?? maxLength) !== undefined ? value.length >> 6 : 0);

type Rule = string | false;

function anyTypeRules({ type, enum: values, const: constant }: SchemaRules, value: unknown): readonly Rule[] {
  const types = type === undefined ? [] : [type].flat();
  return [
    types.length > 0 && !types.some((one) => isOfType(one, value)) && `must be of type ${types.join(' or ')}`,
    values !== undefined && !values.some((one) => one === value) && 'must be one of the listed values',
    constant !== undefined && constant !== value && 'must be the constant value',
  ];
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  return type === 'object' ? isJsonObject(value) : typeof value === type;
}

function typeRules(schema: SchemaRules, value: unknown): readonly Rule[] {
  if (typeof value === 'number') return numberRules(schema, value);
  if (typeof value === 'string') return textRules(schema, value);
  if (Array.isArray(value)) return sizeRules('items', value.length, schema.minItems, schema.maxItems);
  if (!isJsonObject(value)) return [];
  return sizeRules('properties', Object.keys(value).length, schema.minProperties, schema.maxProperties);
}

const sizeRules = (things: string, size: number, min = 0, max = Number.POSITIVE_INFINITY): readonly Rule[] => [
  size < min && `must have at least ${min} ${things}`,
  size > max && `must have at most ${max} ${things}`,
];

const numberRules = (
  { minimum, maximum, exclusiveMinimum, exclusiveMaximum }: SchemaRules,
  value: number,
): readonly Rule[] => [
  minimum !== undefined && value < minimum && `must be at least ${minimum}`,
  maximum !== undefined && value > maximum && `must be at most ${maximum}`,
  exclusiveMinimum !== undefined && value <= exclusiveMinimum && `must be more than ${exclusiveMinimum}`,
  exclusiveMaximum !== undefined && value >= exclusiveMaximum && `must be less than ${exclusiveMaximum}`,
];

function textRules({ minLength, maxLength, format }: SchemaRules, value: string): readonly Rule[] {
  const isBounded = minLength !== undefined || maxLength !== undefined;
  return [
    ...(isBounded ? sizeRules('characters', [...value].length, minLength, maxLength) : []),
    format !== undefined && !isTimestamp(value) && 'must be an RFC 3339 date-time with a zone',
  ];
}

function choiceRules(walk: Walk, { anyOf, oneOf, not }: SchemaRules, value: unknown): readonly string[] {
  if (anyOf === undefined && oneOf === undefined && not === undefined) return [];
  const holds = (one: PropertySchema) => brokenRules(walk, one, value, '').length === 0;
  return [
    ...(anyOf === undefined || anyOf.some(holds) ? [] : ['must match one of the alternatives']),
    ...(oneOf === undefined || oneOf.filter(holds).length === 1 ? [] : ['must match exactly one of the alternatives']),
    ...(not !== undefined && holds(not) ? ['must not match the excluded schema'] : []),
  ];
}

const brokenItems = (walk: Walk, { items }: SchemaRules, value: readonly unknown[], place: string) =>
  items === undefined ? none : value.flatMap((one) => brokenRules(walk, items, one, `${place}/*`));

/** A name that the plan does not have may be content: its place is `*`. */
function brokenProperties(
  walk: Walk,
  { required = [], properties = {}, additionalProperties }: SchemaRules,
  value: Readonly<Record<string, unknown>>,
  place: string,
): readonly Broken[] {
  const missing = required.filter((name) => !Object.hasOwn(value, name));
  const names = Object.keys(value);
  walk.steps += names.length;
  return [
    ...missing.map((name) => ({ place: place + jsonPointer(name), rule: 'is required' })),
    ...names.flatMap((name) => {
      if (walk.steps > maxSteps) return none;
      if (Object.hasOwn(properties, name))
        return brokenRules(walk, properties[name] ?? true, value[name], place + jsonPointer(name));
      return additionalProperties === undefined
        ? none
        : brokenRules(walk, additionalProperties, value[name], `${place}/*`);
    }),
  ];
}
