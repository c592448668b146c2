import { jsonPointer, valueAt } from '../../contract/field-errors.ts';
import { limits } from '../../contract/limits.ts';
import type { FieldError } from '../../contract/problems.ts';
import {
  type EventSchema,
  ownStepsOf,
  type PropertySchema,
  type SchemaRules,
  type TrackingPlan,
} from '../../contract/tracking-plan.ts';
import { BudgetExceeded } from '../base/budget.ts';
import { isJsonObject } from '../base/json/read-json.ts';
import { isTimestamp } from '../base/time/timestamp.ts';

/** A place that a schema names, and its rule that a value breaks. Neither holds anything of the event. */
type Broken = { readonly place: string; readonly rule: string };

/** The check of one event. */
type Walk = {
  readonly root: EventSchema;
  /** The names on the way to the value that is looked at. */
  readonly keys: string[];
  readonly found: Broken[];
  /** How many alternatives are tried: what they break breaks nothing yet. */
  trials: number;
  /** How many rules were broken, also in trials. */
  broken: number;
  steps: number;
};

const { ownSteps, stepsPerByte, steps: maxSteps } = limits.trackingPlan;

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

/**
 * The violations of a stored line, each place and rule once (C-PLAN-3).
 * @param path that of the event in its request
 * @param event what the line says; its numbers may be kept as text
 */
export function planViolations(
  plan: TrackingPlan,
  line: string,
  path: string,
  event: unknown = JSON.parse(line),
): readonly PlanViolation[] {
  if (!isJsonObject(event)) return [];
  const { type } = event;
  const name = typeof event['event'] === 'string' ? event['event'] : `$${String(type)}`;
  if (!Object.hasOwn(plan.events, name)) {
    const isRefused = type === 'track' && !plan.additional_events;
    return isRefused ? [new PlanViolation(path, '', { place: '/event', rule: 'is not a planned event' })] : [];
  }
  const root = plan.events[name] ?? {};
  const container = type === 'track' || type === 'page' ? 'properties' : 'traits';
  // In proportion to the event: what a sender can spend is what it sends.
  const steps = Math.min(maxSteps, ownSteps + stepsPerByte * line.length);
  const walk: Walk = { root, keys: [container], found: [], trials: 0, broken: 0, steps };
  try {
    checkValue(walk, root, event[container] ?? {});
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error;
    walk.found.splice(0, Infinity, { place: `/${container}`, rule: 'takes too many steps to check' });
  }
  const unique = new Map(walk.found.map((one) => [`${one.place} ${one.rule}`, one]));
  return [...unique.values()].map((one) => new PlanViolation(path, name, one));
}

/** Adds to `found` what the value breaks. This runs for each value of each event: what holds makes no object. */
function checkValue(walk: Walk, schema: PropertySchema, sent: unknown): void {
  const value = JSON.isRawJSON(sent) ? Number(sent.rawJSON) : sent;
  spend(walk, typeof schema === 'boolean' ? 1 : ownStepsOf(schema));
  if (schema === false) note(walk, 'is not allowed');
  if (typeof schema === 'boolean') return;
  const { type, enum: values, const: constant, $ref } = schema;
  if (type !== undefined && !(Array.isArray(type) ? type.some((one) => isOfType(one, value)) : isOfType(type, value)))
    note(walk, `must be of type ${[type].flat().join(' or ')}`);
  if (values !== undefined && !values.some((one) => one === value)) note(walk, 'must be one of the listed values');
  if (constant !== undefined && constant !== value) note(walk, 'must be the constant value');
  if (typeof value === 'number') checkNumber(walk, schema, value);
  else if (typeof value === 'string') checkText(walk, schema, value);
  else if (Array.isArray(value)) checkItems(walk, schema, value);
  else if (isJsonObject(value)) checkProperties(walk, schema, value);
  if ($ref !== undefined) checkValue(walk, valueAt(walk.root, $ref.slice(1)) as PropertySchema, value);
  checkChoices(walk, schema, value);
}

/** Every loop of a check takes its steps here: schemas come from a plan, but how often they are looked at from senders. */
function spend(walk: Walk, steps: number): void {
  walk.steps -= steps;
  if (walk.steps < 0) throw new BudgetExceeded();
}

function note(walk: Walk, rule: string, ...below: readonly string[]): void {
  walk.broken++;
  if (walk.trials > 0) return;
  spend(walk, walk.keys.length);
  walk.found.push({ place: jsonPointer(...walk.keys, ...below), rule });
}

function checkAt(walk: Walk, key: string, schema: PropertySchema, value: unknown): void {
  walk.keys.push(key);
  checkValue(walk, schema, value);
  walk.keys.pop();
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  return type === 'object' ? isJsonObject(value) : typeof value === type;
}

function checkNumber(walk: Walk, schema: SchemaRules, value: number): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (minimum !== undefined && value < minimum) note(walk, `must be at least ${minimum}`);
  if (maximum !== undefined && value > maximum) note(walk, `must be at most ${maximum}`);
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) note(walk, `must be more than ${exclusiveMinimum}`);
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) note(walk, `must be less than ${exclusiveMaximum}`);
}

function checkText(walk: Walk, { minLength = 0, maxLength = Infinity, format }: SchemaRules, value: string): void {
  // A character has one or two units.
  if (value.length < 2 * minLength || value.length > maxLength) {
    spend(walk, value.length >> 3);
    checkSize(walk, 'characters', [...value].length, minLength, maxLength);
  }
  if (format !== undefined && !isTimestamp(value)) note(walk, 'must be an RFC 3339 date-time with a zone');
}

function checkSize(walk: Walk, things: string, size: number, min = 0, max = Infinity): void {
  if (size < min) note(walk, `must have at least ${min} ${things}`);
  if (size > max) note(walk, `must have at most ${max} ${things}`);
}

function checkItems(walk: Walk, { items, minItems, maxItems }: SchemaRules, value: readonly unknown[]): void {
  checkSize(walk, 'items', value.length, minItems, maxItems);
  if (items !== undefined) for (const one of value) checkAt(walk, '*', items, one);
}

/** A name that the plan does not have may be content: its place is `*`. */
function checkProperties(walk: Walk, schema: SchemaRules, value: Readonly<Record<string, unknown>>): void {
  const { required = [], properties = {}, additionalProperties = true, minProperties, maxProperties } = schema;
  const names = Object.keys(value);
  checkSize(walk, 'properties', names.length, minProperties, maxProperties);
  for (const name of required) if (!Object.hasOwn(value, name)) note(walk, 'is required', name);
  spend(walk, names.length);
  for (const name of names) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    checkAt(walk, known === undefined ? '*' : name, known ?? additionalProperties, value[name]);
  }
}

function checkChoices(walk: Walk, { allOf, anyOf, oneOf, not }: SchemaRules, value: unknown): void {
  if (allOf === undefined && anyOf === undefined && oneOf === undefined && not === undefined) return;
  const holds = (one: PropertySchema): boolean => {
    const before = walk.broken;
    walk.trials++;
    checkValue(walk, one, value);
    walk.trials--;
    return walk.broken === before;
  };
  if (allOf !== undefined) for (const one of allOf) checkValue(walk, one, value);
  if (anyOf !== undefined && !anyOf.some(holds)) note(walk, 'must match one of the alternatives');
  if (oneOf !== undefined && oneOf.filter(holds).length !== 1) note(walk, 'must match exactly one of the alternatives');
  if (not !== undefined && holds(not)) note(walk, 'must not match the excluded schema');
}
