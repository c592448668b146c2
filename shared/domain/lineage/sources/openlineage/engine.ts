import { limits } from '../../../../contract/limits.ts';
import { connectorKinds } from '../../../../contract/vocabulary.ts';
import type { JobEvent, RunEvent } from './event.ts';

/** Integrations that are engines themselves; others, such as Airflow and dbt, have a database do the work. */
const engines: ReadonlySet<string> = new Set([
  ...connectorKinds.filter((kind) => kind !== 'other'),
  'beam',
  'dremio',
  'flink',
  'hive',
  'presto',
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

/** The text at a path into facets; null where there is none. Custom facets have no schema: anything may stand on the way. */
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

/** Who runs the job, else who owns it (OwnershipJobFacet, the first owner); null where no facet says. */
export function principalOf({ job, ...event }: JobEvent | RunEvent): string | null {
  const facets = 'run' in event ? event.run.facets : undefined;
  const runner = placesInRunFacets.map((path) => textAt(facets, path)).find((text) => text !== null);
  return runner ?? (job.facets?.ownership?.owners?.[0]?.name || null);
}
