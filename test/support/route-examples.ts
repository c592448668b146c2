import * as v from 'valibot';
import type { Route } from '../../shared/contract/route.ts';
import { safeDefaults } from '../../shared/domain/lineage/policy/policy.ts';
import type { Sent } from './deployed-functions.ts';

type Values = Readonly<Record<string, unknown>>;

/** What fields of a name hold wherever they stand. A field that is not named gets the first value that its schema takes. */
const usual: Values = {
  expires_in_days: 1,
  jsonrpc: '2.0',
  environment: 'prod',
  environments: ['prod'],
  origin: 'https://app.test',
  lineage: null,
  scopes: ['read'],
  relation_ref: 'analytics.public.orders',
  provider_type: 'query_log',
  filters: safeDefaults,
  url: 'https://hooks.example.com/1',
  events: ['gap.opened'],
  sha256: '0'.repeat(64),
  repository: 'acme/shop',
  commit_sha: '0'.repeat(40),
  code_challenge: 'c'.repeat(43),
  redirect_uri: 'http://127.0.0.1/callback',
  redirect_uris: ['http://127.0.0.1/callback'],
  device_id: 'device-1',
  export: { lineage: [] },
  manifest: { metadata: { adapter_type: 'postgres' }, nodes: {}, sources: {} },
  project: {
    schema: 'service.sqlmesh-project@v1',
    project: { name: 'p' },
    environment: 'prod',
    dialect: 'postgres',
    models: [],
  },
};

const openLineageEvent = {
  eventTime: '2026-11-21T12:00:00Z',
  producer: 'https://producer.test',
  schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobEvent',
  job: { namespace: 'jobs', name: 'load' },
};

/** Alternative fields by path: a body needs one of them. */
const oneOfSeveral: Values = {
  '/v1/lineage/diff': { manifest: usual['manifest'] },
  '/mcp': { id: 1, method: 'ping' },
  '/v1/codehost/manifests': { manifest: usual['manifest'] },
};

/** The bodies of routes that take bytes, by path. */
const byteBodies: Values = {
  '/oauth/token': { grant_type: 'authorization_code' },
  '/api/v1/lineage': openLineageEvent,
  '/api/v1/lineage/batch': [openLineageEvent],
  '/v1/codehost/webhooks/{config_id}': { zen: 'Design for failure.' },
};

/**
 * A request that passes every check of its route but the one of who calls, made from the route's own schemas.
 * @param known values of the world by field name: ids that exist, and the workspace
 */
export function exampleOf(route: Route, known: Values): Sent {
  const values = { ...usual, ...known };
  const texts = (schema: v.GenericSchema | undefined, place: string) =>
    v.parse(v.record(v.string(), v.string()), schema ? required(route, schema, values, place) : {});
  const withWorkspace = route.access.kind === 'member' && route.access.workspace === 'query_or_token';
  return {
    route,
    params: texts(route.params, '/params'),
    query: {
      ...texts(route.query, '/query'),
      ...(withWorkspace && { workspace_id: String(values['workspace_id']) }),
    },
    headers: texts(route.headers, '/headers'),
    ...(route.body && { body: bodyOf(route, values) }),
  };
}

function bodyOf(route: Route, values: Values): unknown {
  if (route.body?.kind === 'json') {
    return { ...required(route, route.body.schema, values, ''), ...(oneOfSeveral[route.path] as Values | undefined) };
  }
  const body = values[route.path] ?? byteBodies[route.path];
  if (body === undefined) throw new Error(`Give an example body of ${route.path} in route-examples.ts.`);
  return body;
}

type Entries = Readonly<Record<string, v.GenericSchema>>;

/** The fields of an object schema, or of the first of several. */
export function entriesOf(schema: v.GenericSchema | undefined): Entries {
  if (schema === undefined) return {};
  if ('entries' in schema) return schema.entries as Entries;
  const [first] = 'options' in schema && Array.isArray(schema.options) ? schema.options : [];
  // The options of a picklist are texts.
  return typeof first === 'object' && first !== null ? entriesOf(first) : {};
}

/** The required fields of an object schema, each with a value that its schema takes. */
function required(route: Route, schema: v.GenericSchema, values: Values, place: string): Values {
  const fields = Object.entries(entriesOf(schema)).filter(([, field]) => !/optional|nullish/.test(field.type));
  return Object.fromEntries(
    fields.map(([name, field]) => [
      name,
      exampleValue(field, values[name], `${route.method} ${route.path}${place}/${name}`),
    ]),
  );
}

const candidates = ['x', '00000000-0000-4000-8000-000000000000', '2026-11-21T12:00:00Z', '1', 1, true, ['x'], [], {}];

function exampleValue(field: v.GenericSchema, named: unknown, place: string): unknown {
  const options = 'options' in field && Array.isArray(field.options) ? field.options : [];
  const all = [...(named === undefined ? [] : [named]), ...options, ...candidates];
  const used = all.find((value) => v.safeParse(field, value).success);
  if (used === undefined) throw new Error(`Give an example of ${place} in route-examples.ts.`);
  return used;
}
