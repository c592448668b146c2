import { intakeRoutes } from '../../shared/contract/routes/intake.ts';
import { datahub, dbt, sqlmesh } from '../../shared/domain/intake/tools.ts';
import { httpFunction } from '../../shared/runtime/http.ts';
import { intakePorts } from '../../shared/runtime/intake-ports.ts';
import { declared } from './declared.ts';
import { openLineage } from './openlineage.ts';

const ports = intakePorts();

/** Takes lineage evidence in. */
export const handler = httpFunction(intakeRoutes, {
  postOpenLineageEvent: openLineage(ports, 'openlineage_event'),
  postOpenLineageBatch: openLineage(ports, 'openlineage_batch'),
  postDatahubExport: declared(ports, datahub),
  postSqlmeshProject: declared(ports, sqlmesh),
  postDbtManifest: declared(ports, dbt),
});
