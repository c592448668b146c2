import type * as v from 'valibot';
import { CreatedToken } from '../access.ts';
import { AccessDiagnosisBundle } from '../access-diagnosis.ts';
import { AccessRequestView, AttentionItem } from '../access-requests.ts';
import { AgentArtifact, ArtifactDiff } from '../agent-artifacts.ts';
import { AgentCheckResponse, AgentCheckResult } from '../agent-checks.ts';
import { AgentContextResponse } from '../agent-context.ts';
import { MemoryCandidate, MemoryPage } from '../agent-memory.ts';
import { AppConfig } from '../codehost-apps.ts';
import { CheckSettings } from '../codehost-checks.ts';
import { Installation } from '../codehost-installations.ts';
import { CollectionBatch, CollectionEvent, CollectionReceipt } from '../collection.ts';
import { CollectionProjectItem } from '../collection-projects.ts';
import { DeliveryPage, LineageDelivery } from '../deliveries.ts';
import { LineageDiff } from '../diff.ts';
import { EdgeExplanation, ExplainedEvidence } from '../explain.ts';
import { CompatibleBody } from '../foreign-formats.ts';
import { Gap, GapDetails } from '../gaps.ts';
import { Coverage, ImpactAnswer } from '../impact.ts';
import {
  CatalogReceipt,
  DatahubAcquisition,
  DbtAcquisition,
  LineageDeliveryReceipt,
  ProjectReceipt,
  SqlmeshAcquisition,
} from '../lineage.ts';
import { FusionWeights, LineagePolicy, PolicyFilters } from '../policy.ts';
import { ProviderInstance } from '../providers.ts';
import { LineageResolution, RelationDetail, RelationPage } from '../relations.ts';
import { WebhookAttempt, WebhookDelivery, WebhookResponse, WebhookSecretResponse } from '../webhooks.ts';
import { type JsonSchema, jsonSchema } from './openapi-schema.ts';

/** The schemas that the API descriptions name: generated clients call their types so. */
const namedSchemas: Readonly<Record<string, v.GenericSchema>> = {
  AccessDiagnosisBundle,
  AccessRequestView,
  AgentArtifact,
  AgentCheckResponse,
  AgentCheckResult,
  AgentContextResponse,
  AppConfig,
  AttentionItem,
  CatalogReceipt,
  CheckSettings,
  CollectionBatch,
  CollectionEvent,
  CollectionProjectItem,
  CollectionReceipt,
  CompatibleBody,
  Coverage,
  CreatedToken,
  DatahubAcquisition,
  DbtAcquisition,
  DeliveryPage,
  EdgeExplanation,
  ExplainedEvidence,
  FusionWeights,
  Gap,
  GapDetails,
  ImpactAnswer,
  Installation,
  LineageDelivery,
  LineageDeliveryReceipt,
  LineageDiff,
  LineagePolicy,
  LineageResolution,
  MemoryCandidate,
  MemoryPage,
  PolicyFilters,
  ProjectReceipt,
  ProviderInstance,
  RelationDetail,
  RelationPage,
  SqlmeshAcquisition,
  WebhookAttempt,
  WebhookDelivery,
  WebhookResponse,
  WebhookSecretResponse,
  // After `LineageDiff`, whose parts it shows.
  ArtifactDiff,
};

type Json = { readonly [key: string]: unknown };

/** Shorter schemas are as long as a reference to them, and easier to read in place. */
const shortest = 200;

type Components = {
  readonly schemas: Record<string, unknown>;
  readonly parameters: Record<string, unknown>;
  readonly responses: Record<string, unknown>;
};

/** Shares schemas, parameters and refusals as components. Schemas without a name get that of their first place. */
export function withComponents<D extends Json>(document: D): D {
  const components: Components = { schemas: {}, parameters: {}, responses: {} };
  const schemas = schemaReferences(document, components.schemas);
  const parameters = references(components.parameters, 'parameters', repeatedIn(parametersIn(document)));
  const responses = references(components.responses, 'responses', () => true);
  const operationOf = (operation: Json): Json => ({
    ...operation,
    parameters: listOf(operation['parameters']).map((one) =>
      parameters(`${one['in']}-${one['name']}`, one, {
        ...one,
        schema: schemas(one['schema'], `${nameOf(operation)}${capitalised(String(one['name']))}`),
      }),
    ),
    ...(isJson(operation['requestBody']) && {
      requestBody: withSchemas(operation['requestBody'], schemas, `${nameOf(operation)}Request`),
    }),
    responses: mapped(operation['responses'], (one, status) => {
      const response = withSchemas(one, schemas, `${nameOf(operation)}Response`);
      return status < '400' ? response : responses([status, ...firstExample(one)].join('-'), one, response);
    }),
  });
  const paths = mapped(document['paths'], (item) => mapped(item, operationOf));
  const provided = isJson(document['components']) ? document['components'] : {};
  return {
    ...document,
    paths,
    components: {
      ...provided,
      parameters: sorted(components.parameters),
      responses: sorted(components.responses),
      schemas: sorted({ ...(isJson(provided['schemas']) && provided['schemas']), ...components.schemas }),
    },
  };
}

type Reference = (name: string, original: unknown, value: unknown) => unknown;

/** Keeps each value once under its own name, and answers a reference to it. Equal are those of equal originals. */
function references(stored: Record<string, unknown>, kind: string, isShared: (json: string) => boolean): Reference {
  const names = new Map<string, string>();
  return (requested, original, value) => {
    const json = JSON.stringify(original);
    if (!isShared(json)) return value;
    const name = names.get(json) ?? freeName(stored, requested);
    names.set(json, name);
    stored[name] = value;
    return { $ref: `#/components/${kind}/${name}` };
  };
}

function freeName(stored: Readonly<Record<string, unknown>>, requested: string): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? requested : `${requested}-${number}`;
    if (!Object.hasOwn(stored, name)) return name;
  }
}

type PlaceSchema = (schema: unknown, place: string) => unknown;

/** Replaces the schemas that have a name, and those that repeat. */
function schemaReferences(document: Json, stored: Record<string, unknown>): PlaceSchema {
  const repeated = repeatedSchemas(document);
  const named = namesOf(repeated.seen);
  const placed = new Map<string, string>();
  const place: PlaceSchema = (schema, at) => {
    if (!isJson(schema) || '$ref' in schema) return schema;
    const json = JSON.stringify(schema);
    const own = named.get(json);
    if (own === undefined && !repeated.has(json)) return inner(schema, at);
    const known = placed.get(json) ?? freeName(stored, own ?? at);
    if (!placed.has(json)) {
      placed.set(json, known);
      // Reserved first: the names of its parts begin with its own.
      stored[known] = null;
      stored[known] = inner(schema, known);
    }
    return { $ref: `#/components/schemas/${known}` };
  };
  const inner = (schema: Json, at: string): Json =>
    Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, part(keyword, value, at)]));
  const part = (keyword: string, value: unknown, at: string): unknown => {
    if (Array.isArray(value)) return listKeywords.has(keyword) ? value.map((one) => place(one, `${at}Choice`)) : value;
    if (keyword === 'properties') return mapped(value, (one, name) => place(one, `${at}${capitalised(name)}`));
    return schemaKeywords.has(keyword) ? place(value, `${at}Item`) : value;
  };
  // In their own order, so that a part that several have is named after the first of them.
  for (const [json, name] of named) place(JSON.parse(json), name);
  return place;
}

const listKeywords = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const schemaKeywords = new Set(['items', 'additionalProperties']);

/** The schemas that are at several places, without those that repeat only as parts of one that does. */
function repeatedSchemas(document: Json) {
  const seen = new Map<string, number>();
  const look = (schema: unknown) => {
    if (!isJson(schema) || '$ref' in schema) return;
    const json = JSON.stringify(schema);
    const times = (seen.get(json) ?? 0) + 1;
    seen.set(json, times);
    if (times > 1 && json.length >= shortest) return;
    for (const [keyword, value] of Object.entries(schema)) {
      if (listKeywords.has(keyword) && Array.isArray(value)) value.forEach(look);
      if (keyword === 'properties' && isJson(value)) Object.values(value).forEach(look);
      if (schemaKeywords.has(keyword)) look(value);
    }
  };
  for (const part of [...parametersIn(document), ...mediaOf(document)]) look(part['schema']);
  return { seen, has: (json: string) => json.length >= shortest && (seen.get(json) ?? 0) > 1 };
}

/** By its JSON, the name of each named schema that the description uses. Taken and given alike, it has one name. */
function namesOf(seen: ReadonlyMap<string, number>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [name, schema] of Object.entries(namedSchemas)) {
    const forms = (['output', 'input'] as const).map((mode) => JSON.stringify(jsonSchema(schema, mode)));
    const used = [...new Set(forms)].filter((json) => seen.has(json));
    for (const [index, json] of used.entries()) names.set(json, index === 0 ? name : `${name}Input`);
  }
  return names;
}

function* operationsIn(document: Json): Generator<Json> {
  for (const item of valuesOf(document['paths'])) yield* valuesOf(item);
}

function* parametersIn(document: Json): Generator<Json> {
  for (const operation of operationsIn(document)) yield* listOf(operation['parameters']);
}

function* mediaOf(document: Json): Generator<Json> {
  for (const { requestBody, responses } of operationsIn(document))
    for (const part of [...(isJson(requestBody) ? [requestBody] : []), ...valuesOf(responses)])
      yield* valuesOf(part['content']);
}

function repeatedIn(values: Iterable<unknown>): (json: string) => boolean {
  const seen = new Map<string, number>();
  for (const value of values) {
    const json = JSON.stringify(value);
    seen.set(json, (seen.get(json) ?? 0) + 1);
  }
  return (json) => (seen.get(json) ?? 0) > 1;
}

const withSchemas = (part: Json, place: PlaceSchema, at: string): Json => ({
  ...part,
  ...(isJson(part['content']) && {
    content: mapped(part['content'], (media) =>
      'schema' in media ? { ...media, schema: place(media['schema'], at) } : media,
    ),
  }),
});

const nameOf = (operation: Json): string => capitalised(String(operation['operationId']));

const capitalised = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');

const firstExample = (response: Json): readonly string[] =>
  valuesOf(response['content'])
    .flatMap(({ examples }) => (isJson(examples) ? Object.keys(examples) : []))
    .slice(0, 1);

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isJson) : []);
const valuesOf = (value: unknown): readonly Json[] => (isJson(value) ? Object.values(value).filter(isJson) : []);

const mapped = (value: unknown, change: (one: Json, key: string) => unknown): JsonSchema =>
  isJson(value)
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, isJson(one) ? change(one, key) : one]))
    : {};

const sorted = (stored: Readonly<Record<string, unknown>>): Json =>
  Object.fromEntries(
    Object.keys(stored)
      .toSorted()
      .map((name) => [name, stored[name]]),
  );
