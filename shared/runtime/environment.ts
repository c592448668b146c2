import * as v from 'valibot';
import { Fault } from '../contract/problems.ts';
import { settings } from '../contract/settings.ts';

const text = v.pipe(v.string(), v.nonEmpty());
const url = v.pipe(v.string(), v.url());
const positive = v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number), v.minValue(1));
/** Names of hosts, separated by commas; `none` is none. */
const hosts = v.pipe(
  v.string(),
  v.transform((text): ReadonlySet<string> => {
    const names = text.split(',').map((name) => name.trim().toLowerCase());
    return new Set(names.filter((name) => name !== '' && name !== 'none'));
  }),
);
/** Null is for ever. */
const daysOrForever = v.pipe(
  v.union([v.literal('forever'), v.pipe(v.string(), v.regex(/^\d{1,5}$/))]),
  v.transform((text) => (text === 'forever' ? null : Number(text))),
  v.nullable(v.pipe(v.number(), v.minValue(400))),
);
const flag = v.pipe(
  v.picklist(['true', 'false']),
  v.transform((word) => word === 'true'),
);

/** Every variable that a function may read; each function gets only those that it needs. */
const variables = {
  TABLE_NAME: text,
  EVENT_TABLE_NAME: text,
  RAW_BUCKET: text,
  LAKE_BUCKET: text,
  PROJECTION_QUEUE_URL: url,
  DOCUMENTS_QUEUE_URL: url,
  EVENTS_QUEUE_URL: url,
  CODEHOST_QUEUE_URL: url,
  /** Of the queue that feeds the function. */
  WORK_QUEUE_URL: url,
  /** Takes events where the sink is Iceberg. */
  EVENT_STREAM_NAME: text,
  NOTIFICATIONS_QUEUE_URL: url,
  OIDC_ISSUER: text,
  OIDC_AUDIENCE: text,
  OIDC_JWKS_URL: url,
  OIDC_DISCOVERY_URL: url,
  TOKEN_IN_FRAGMENT: v.optional(flag, 'false'),
  COLLECTION_ENABLED: flag,
  COLLECTION_SINK: v.picklist(['lake', 'iceberg', 'discard']),
  /** Events a second and project key. */
  COLLECT_RATE: positive,
  COLLECT_BURST: positive,
  /** No message and no staged row is as old: both may be worked again. */
  EVENTS_DEDUP_DAYS: v.pipe(positive, v.minValue(45)),
  DEDUP_GUESS_SECONDS: positive,
  /** Longer than observations stay in the graph, but where a connector keeps them for more than 310 days. */
  RECEIPTS_DAYS: daysOrForever,
  /** Requests a second and workspace. */
  LINEAGE_RATE: positive,
  LINEAGE_BURST: positive,
  WEBHOOK_ALLOWED_HOSTS: hosts,
  /** Whether the public health route reads the stores. */
  HEALTH_STORES: flag,
  /** Where the local service keeps its data, if it keeps any. */
  LOCAL_FOLDER: v.optional(text),
  /** Before the names of secrets in Secrets Manager. */
  SECRETS_PREFIX: text,
  CODEHOST_ALLOWED_HOSTS: hosts,
  CODEHOST_APP_ID: v.string(),
  CODEHOST_APP_SLUG: v.string(),
  CODEHOST_CLIENT_ID: v.string(),
  CODEHOST_BASE_URL: v.string(),
  CODEHOST_API_URL: v.string(),
  TENANT: text,
  API_URL: url,
  COLLECT_URL: v.optional(url),
  INGEST_URL: v.optional(url),
};

type Name = keyof typeof variables;

const defaults: Readonly<Record<string, { readonly otherwise: string } | undefined>> = settings;

/** The value of a variable, to be read at cold start: a missing or malformed one fails the init, not a request. */
export function environment<N extends Name>(name: N): v.InferOutput<(typeof variables)[N]> {
  const result = v.safeParse(variables[name], process.env[name] ?? defaults[name]?.otherwise);
  if (!result.success)
    throw new Fault('environment_variable', `the environment variable ${name} is missing or malformed`);
  return result.output;
}
