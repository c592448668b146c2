import * as v from 'valibot';
import { Fault } from '../contract/fault.ts';
import { settings } from '../contract/settings.ts';

const text = v.pipe(v.string(), v.nonEmpty());
const url = v.pipe(v.string(), v.url());
const positive = (otherwise: string) =>
  v.pipe(v.optional(v.string(), otherwise), v.regex(/^\d{1,9}$/), v.transform(Number), v.minValue(1));
const flag = (otherwise: 'true' | 'false') =>
  v.pipe(
    v.optional(v.picklist(['true', 'false']), otherwise),
    v.transform((word) => word === 'true'),
  );

/** Every variable that a function may read; each function gets only those that it needs. */
const variables = {
  TABLE_NAME: text,
  EVENT_TABLE_NAME: text,
  RAW_BUCKET: text,
  LAKE_BUCKET: text,
  PROJECTION_QUEUE_URL: url,
  EVENTS_QUEUE_URL: url,
  OIDC_ISSUER: text,
  OIDC_AUDIENCE: text,
  OIDC_JWKS_URL: url,
  OIDC_DISCOVERY_URL: url,
  TOKEN_IN_FRAGMENT: flag('false'),
  COLLECTION_ENABLED: flag(settings.COLLECTION_ENABLED.otherwise),
  COLLECTION_SINK: v.optional(v.picklist(['lake', 'discard']), settings.COLLECTION_SINK.otherwise),
  /** Events a second and project key, in one process. */
  COLLECT_RATE: positive(settings.COLLECT_RATE.otherwise),
  COLLECT_BURST: positive(settings.COLLECT_BURST.otherwise),
  /** Requests a second and workspace, in one process. */
  LINEAGE_RATE: positive('500'),
  LINEAGE_BURST: positive('2000'),
  /** Whether the public health route reads the stores. */
  HEALTH_STORES: flag(settings.HEALTH_STORES.otherwise),
  TENANT: text,
};

type Name = keyof typeof variables;
type Values<N extends Name> = { readonly [K in N]: v.InferOutput<(typeof variables)[K]> };

/** The named variables, read once at cold start: a missing or malformed one fails the init, not a request. */
export function environment<const N extends Name>(...names: readonly N[]): Values<N> {
  return Object.fromEntries(names.map((name) => [name, variable(name)])) as Values<N>;
}

function variable(name: Name): unknown {
  const result = v.safeParse(variables[name], process.env[name]);
  if (!result.success)
    throw new Fault('environment_variable', `the environment variable ${name} is missing or malformed`);
  return result.output;
}
