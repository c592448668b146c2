import { textAt } from './custom-facet.ts';
import type { JobEvent, RunEvent } from './event.ts';

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
