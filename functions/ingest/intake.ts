import type { intakeRoutes } from '../../shared/contract/routes/ingest.ts';
import type { DeclaredIntakePorts } from '../../shared/domain/ingest/ports.ts';
import { datahub, dbt, sqlmesh } from '../../shared/domain/ingest/tools.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';
import { declared } from './declared.ts';
import { openLineage } from './openlineage.ts';

/** Serves the routes that take lineage evidence in. */
export const intakeImplementations = (ports: DeclaredIntakePorts): Implementations<typeof intakeRoutes> => ({
  postOpenLineageEvent: openLineage(ports, 'openlineage_event'),
  postOpenLineageBatch: openLineage(ports, 'openlineage_batch'),
  postDatahubExport: declared(ports, datahub),
  postSqlmeshProject: declared(ports, sqlmesh),
  postDbtManifest: declared(ports, dbt),
});
