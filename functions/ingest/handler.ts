import { intakeRoutes } from '../../shared/contract/routes/ingest.ts';
import { datahub, dbt, sqlmesh } from '../../shared/domain/ingest/tools.ts';
import { ingestPorts } from '../../shared/runtime/composition/intake.ts';
import { httpFunction } from '../../shared/runtime/http.ts';
import { declared } from './declared.ts';
import { openLineage } from './openlineage.ts';

const ports = ingestPorts();

/** Takes lineage evidence in. */
export const handler = httpFunction(intakeRoutes, {
  postOpenLineageEvent: openLineage(ports, 'openlineage_event'),
  postOpenLineageBatch: openLineage(ports, 'openlineage_batch'),
  postDatahubExport: declared(ports, datahub),
  postSqlmeshProject: declared(ports, sqlmesh),
  postDbtManifest: declared(ports, dbt),
});
