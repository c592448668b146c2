import * as v from 'valibot';
import { Fault } from '../contract/problems.ts';
import { settings } from '../contract/settings.ts';

const text = v.pipe(v.string(), v.nonEmpty());
const url = v.pipe(v.string(), v.url());
const positive = (otherwise: string) =>
  v.pipe(v.optional(v.string(), otherwise), v.regex(/^\d{1,9}$/), v.transform(Number), v.minValue(1));
/** Names of hosts, separated by commas; `none` is none. */
const hosts = (otherwise: string) =>
  v.pipe(
    v.optional(v.string(), otherwise),
    v.transform((text): ReadonlySet<string> => {
      const names = text.split(',').map((name) => name.trim().toLowerCase());
      return new Set(names.filter((name) => name !== '' && name !== 'none'));
    }),
  );
/** Null is for ever. */
const daysOrForever = (otherwise: string) =>
  v.pipe(
    v.optional(v.union([v.literal('forever'), v.pipe(v.string(), v.regex(/^\d{1,5}$/))]), otherwise),
    v.transform((text) => (text === 'forever' ? null : Number(text))),
    v.nullable(v.pipe(v.number(), v.minValue(400))),
  );
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
  TOKEN_IN_FRAGMENT: flag('false'),
  COLLECTION_ENABLED: flag(settings.COLLECTION_ENABLED.otherwise),
  COLLECTION_SINK: v.optional(v.picklist(['lake', 'iceberg', 'discard']), settings.COLLECTION_SINK.otherwise),
  /** Events a second and project key. */
  COLLECT_RATE: positive(settings.COLLECT_RATE.otherwise),
  COLLECT_BURST: positive(settings.COLLECT_BURST.otherwise),
  /** No message and no staged row is as old: both may be worked again. */
  EVENTS_DEDUP_DAYS: v.pipe(positive(settings.EVENTS_DEDUP_DAYS.otherwise), v.minValue(45)),
  DEDUP_GUESS_SECONDS: positive(settings.DEDUP_GUESS_SECONDS.otherwise),
  /** Longer than observations stay in the graph, but where a connector keeps them for more than 310 days. */
  RECEIPTS_DAYS: daysOrForever(settings.RECEIPTS_DAYS.otherwise),
  /** Requests a second and workspace. */
  LINEAGE_RATE: positive(settings.LINEAGE_RATE.otherwise),
  LINEAGE_BURST: positive(settings.LINEAGE_BURST.otherwise),
  WEBHOOK_ALLOWED_HOSTS: hosts(settings.WEBHOOK_ALLOWED_HOSTS.otherwise),
  /** Whether the public health route reads the stores. */
  HEALTH_STORES: flag(settings.HEALTH_STORES.otherwise),
  /** Where the local service keeps its data, if it keeps any. */
  LOCAL_FOLDER: v.optional(text),
  /** Before the names of secrets in Secrets Manager. */
  SECRETS_PREFIX: text,
  CODEHOST_ALLOWED_HOSTS: hosts(settings.CODEHOST_ALLOWED_HOSTS.otherwise),
  CODEHOST_APP_ID: v.optional(v.string(), settings.CODEHOST_APP_ID.otherwise),
  CODEHOST_APP_SLUG: v.optional(v.string(), settings.CODEHOST_APP_SLUG.otherwise),
  CODEHOST_CLIENT_ID: v.optional(v.string(), settings.CODEHOST_CLIENT_ID.otherwise),
  CODEHOST_BASE_URL: v.optional(v.string(), settings.CODEHOST_BASE_URL.otherwise),
  CODEHOST_API_URL: v.optional(v.string(), settings.CODEHOST_API_URL.otherwise),
  TENANT: text,
  API_URL: url,
  COLLECT_URL: v.optional(url),
  INGEST_URL: v.optional(url),
};

type Name = keyof typeof variables;

/** The value of a variable, to be read at cold start: a missing or malformed one fails the init, not a request. */
export function environment<N extends Name>(name: N): v.InferOutput<(typeof variables)[N]> {
  const result = v.safeParse(variables[name], process.env[name]);
  if (!result.success)
    throw new Fault('environment_variable', `the environment variable ${name} is missing or malformed`);
  return result.output;
}
