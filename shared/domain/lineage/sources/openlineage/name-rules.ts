import { beginningOf, isStorable, storableRule, unstorableAt } from '../../../../contract/fields.ts';
import { limits } from '../../../../contract/limits.ts';
import { connectorKinds, type StatementKind } from '../../../../contract/vocabulary.ts';
import { isTimestamp } from '../../../base/time/timestamp.ts';
import type { JobEvent, Named, RunEvent } from './event.ts';

export type BrokenName = {
  readonly path: string;
  readonly code: 'invalid_event' | 'invalid_unicode';
  readonly rule: string;
};

const parts = ['namespace', 'name'] as const;
const longNameRule = `must be at most ${limits.openlineage.name} characters`;
const blankRule = 'must not be empty or blank';

type Facets = Readonly<Record<string, unknown>>;
type Bearer = Named & { readonly facets?: Facets };
type Entities = {
  readonly run?: object;
  readonly job?: Bearer;
  readonly dataset?: Bearer;
  readonly inputs?: readonly Bearer[];
  readonly outputs?: readonly Bearer[];
};

/** Facets whose texts become names or keys. Texts of others are stored unchanged, or not at all. */
const keyed = new Set('catalog columnLineage lifecycleStateChange lineage ownership schema symlinks'.split(' '));
/** The facets whose body names other datasets. */
const naming = new Set(['columnLineage', 'lineage', 'symlinks', 'lifecycleStateChange']);

/** The first rule that a name of an event breaks beyond its schema (C-OPENLINEAGE-6), or null. */
export function brokenNameOf(event: Entities, entities: readonly (keyof Entities)[]): BrokenName | null {
  for (const [path, one] of named(event, entities)) {
    for (const part of parts) {
      const broken = brokenName(`${path}/${part}`, one[part]);
      if (broken) return broken;
    }
    for (const [key, facet] of Object.entries(one.facets ?? {})) {
      const at = keyed.has(key) ? unstorableAt(facet, `${path}/facets/${key}`) : null;
      if (at !== null) return { path: at, code: 'invalid_unicode', rule: storableRule };
    }
  }
  return null;
}

function* named(event: Entities, entities: readonly (keyof Entities)[]): Generator<readonly [string, Bearer]> {
  if (entities.includes('job') && event.job) yield ['/job', event.job];
  if (entities.includes('dataset') && event.dataset) yield ['/dataset', event.dataset];
  for (const key of ['inputs', 'outputs'] as const) {
    if (!entities.includes(key)) continue;
    for (const [i, one] of event[key]?.entries() ?? []) yield [`/${key}/${i}`, one];
  }
}

function brokenName(path: string, name: string): BrokenName | null {
  if (!isStorable(name)) return { path, code: 'invalid_unicode', rule: storableRule };
  if (isBlank(name)) return { path, code: 'invalid_event', rule: blankRule };
  return isLong(name) ? { path, code: 'invalid_event', rule: longNameRule } : null;
}

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';

/** Counted in code points where code units are too many. */
const isLong = (value: unknown): boolean =>
  typeof value === 'string' && value.length > limits.openlineage.name && [...value].length > limits.openlineage.name;

/** Why a facet that follows its schema says more, or less, than the graph keeps; null if it does not. */
export function facetTooMuch(key: string, facet: unknown): string | null {
  if (!naming.has(key)) return null;
  const broken = brokenNameIn(facet);
  if (broken !== null) return `names ${broken}`;
  const { identifiers = [] }: { identifiers?: readonly unknown[] } = Object(facet);
  return identifiers.length > limits.openlineage.symlinks ? symlinksRule : null;
}

const symlinksRule = `must not have more than ${limits.openlineage.symlinks} identifiers`;

/** The rule that a name in a value breaks; where several do, that of a long one. */
function brokenNameIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const { namespace, name }: Partial<Named> = value;
  if (isLong(namespace) || isLong(name)) return longNameRule;
  let broken = isBlank(namespace) || isBlank(name) ? blankRule : null;
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object') broken = brokenNameIn(inner) ?? broken;
    if (broken === longNameRule) break;
  }
  return broken;
}

/** Integrations that are engines themselves; others, such as Airflow and dbt, have a database do the work. */
const engines: ReadonlySet<string> = new Set([
  ...connectorKinds.filter((kind) => kind !== 'other'),
  ...['beam', 'dremio', 'flink', 'hive', 'presto'],
]);

/** The part of a producer's URI that names its integration: `…/integration/spark`, `…/plugin/trino-openlineage`. */
const integrationInProducer = /\/(?:integration|plugin)\/([a-z]+)/i;

/** The engine that did the work, in lower case (C-POLICY-12): as the run says, else as the integration; null where neither does. */
export function engineOf(event: JobEvent | RunEvent): string | null {
  const stated = 'run' in event ? textAt(event.run.facets, ['processing_engine', 'name'])?.trim().toLowerCase() : null;
  // No rule could name a longer one.
  if (stated && stated.length <= limits.policy.engine) return stated;
  const integrations = [event.job.facets?.jobType?.integration, integrationInProducer.exec(event.producer)?.[1]];
  return (
    integrations.map((name) => name?.toLowerCase()).find((name) => name !== undefined && engines.has(name)) ?? null
  );
}

/** The text at a path into facets; null if there is none. Custom facets have no schema: anything may stand on the way. */
export function textAt(facets: unknown, path: readonly string[]): string | null {
  let value: unknown = facets;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null;
    value = Reflect.get(value, key);
  }
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Where producers say who runs a job: custom run facets of integrations, the more exact first. */
const placesInRunFacets = [
  // On Databricks the application's user is the cluster's, `root`.
  ['environment-properties', 'environment-properties', 'user'],
  ['spark_applicationDetails', 'userName'],
  ['hive_session', 'username'],
  ['trino_query_context', 'user'],
  ['presto_query_context', 'user'],
  ['airflow', 'task', 'owner'],
  ['airflow', 'dag', 'owner'],
] as const;

/** Who runs the job, else who owns it (OwnershipJobFacet, the first owner); null if no facet says. */
export function principalOf({ job, ...event }: JobEvent | RunEvent): string | null {
  const facets = 'run' in event ? event.run.facets : undefined;
  const runner = placesInRunFacets.map((path) => textAt(facets, path)).find((text) => text !== null);
  return runner ?? (job.facets?.ownership?.owners?.[0]?.name || null);
}

const uuidPattern = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

const escaped = '%[\\da-f]{2}';
const unreserved = "-\\w.~!$&'()*+,;=";
const segment = `(?:[${unreserved}:@]|${escaped})`;
const authority = `(?:(?:[${unreserved}:]|${escaped})*@)?(?:\\[[\\da-fv.:]+\\]|(?:[${unreserved}]|${escaped})*)(?::\\d*)?`;
const uriPattern = new RegExp(
  `^[a-z][a-z\\d+.-]*:(?://${authority}(?:/${segment}*)*|/?(?:${segment}+(?:/${segment}*)*)?)(?:\\?(?:${segment}|[/?])*)?(?:#(?:${segment}|[/?])*)?$`,
  'i',
);

/** The formats that the OpenLineage schemas assert, as their RFCs define them (3339, 4122, 3986) and no laxer. */
export const formats = {
  'date-time': isTimestamp,
  uuid: (text: string) => uuidPattern.test(text),
  uri: (text: string) => uriPattern.test(text),
};

/** By its leading keywords only, so that any dialect will do; null for a query, which writes nothing. */
export function statementKindOf(sql: string): StatementKind | null {
  const words = leadingWords(sql);
  if (words.length === 0) return null;
  const text = `${words.join(' ')} `;
  const known = kinds.find(([pattern]) => pattern.test(text));
  return known ? known[1] : 'other';
}

type Pattern = { readonly test: (text: string) => boolean };

const kinds: readonly (readonly [Pattern, StatementKind | null])[] = [
  [/^CREATE (\w+ )*?MATERIALIZED (\w+ )?VIEW /, 'create_materialized_view'],
  [/^CREATE (\w+ )*?DYNAMIC (\w+ )?TABLE /, 'create_materialized_view'],
  [/^CREATE (\w+ )*?VIEW /, 'create_view'],
  [{ test: makesTable }, 'create_table_as'],
  [/^INSERT OVERWRITE /, 'insert_overwrite'],
  [/^INSERT /, 'insert'],
  [/^MERGE /, 'merge'],
  [/^UPDATE /, 'update'],
  [/^(DELETE|TRUNCATE) /, 'delete'],
  [/^(COPY|LOAD|UNLOAD|EXPORT) /, 'copy'],
  [/^SELECT .*?INTO /, 'select_into'],
  [/^(SELECT|VALUES|TABLE|FROM|EXPLAIN|SHOW|DESCRIBE) /, null],
];

/** Only searches after the first TABLE: with many, each search would scan to the end. */
function makesTable(text: string): boolean {
  const head = /^(?:CREATE|REPLACE) (?:\w+ )*?TABLE /.exec(text)?.[0];
  return head !== undefined && /(?:SELECT|CLONE) /.test(text.slice(head.length));
}

/** Longer than any head of a statement: a text of megabytes is not read to its end. */
const readLength = 20_000;
const token =
  /--[^\n]*|\/\*.*?(?:\*\/|$)|'(?:[^']|'')*'?|"(?:[^"]|"")*"?|`[^`]*`?|\[[^\]\n]*\]?|[()]|[\p{L}_][\w$]*/gsu;

/** The words of the statement itself, in capitals: no comments, no literals, no common table expressions. */
function leadingWords(sql: string): string[] {
  const words: string[] = [];
  let depth = 0;
  let inPrefix = false;
  for (const [text] of beginningOf(sql, readLength).matchAll(token)) {
    if (text === '(') depth++;
    else if (text === ')') depth--;
    else if (/^[\p{L}_]/u.test(text)) {
      const word = text.toUpperCase();
      if (words.length === 0 && word === 'WITH') inPrefix = true;
      else if (inPrefix && (depth > 0 || !verbs.has(word))) continue;
      // What `create table t (select …)` consists of is in parentheses.
      else if (depth <= 0 || words.length === 0 || word === 'SELECT') {
        inPrefix = false;
        words.push(word);
      }
    }
  }
  return words;
}

const verbs = new Set(['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE', 'VALUES', 'FROM', 'CREATE']);
