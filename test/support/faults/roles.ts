import { randomBytes } from 'node:crypto';
import { declared } from '../../../functions/ingest/declared.ts';
import { openLineage } from '../../../functions/ingest/openlineage.ts';
import { policyImplementations } from '../../../functions/policy/policy.ts';
import { deliveryImplementations } from '../../../functions/queries/deliveries.ts';
import { impactImplementations } from '../../../functions/queries/impact.ts';
import { relationImplementations } from '../../../functions/queries/relations.ts';
import { sweepTasks } from '../../../functions/sweep/tasks.ts';
import { graphRecords } from '../../../shared/adapters/dynamodb/graph-records.ts';
import { registry } from '../../../shared/adapters/dynamodb/registry.ts';
import { deliveryRoutes } from '../../../shared/contract/routes/deliveries.ts';
import { impactRoutes } from '../../../shared/contract/routes/impact.ts';
import { intakeRoutes } from '../../../shared/contract/routes/ingest.ts';
import { policyRoutes } from '../../../shared/contract/routes/policy.ts';
import { relationRoutes } from '../../../shared/contract/routes/relations.ts';
import { datahub, dbt, sqlmesh } from '../../../shared/domain/ingest/tools.ts';
import { systemClock } from '../../../shared/domain/time/clock.ts';
import { collectionFunction } from '../../../shared/runtime/collection-http.ts';
import { collectPorts, storeEventsPorts } from '../../../shared/runtime/composition/collection.ts';
import { httpPorts, ingestPorts } from '../../../shared/runtime/composition/intake.ts';
import { projectionWorkerPorts } from '../../../shared/runtime/composition/projection-worker.ts';
import { policyPorts, queriesPorts } from '../../../shared/runtime/composition/queries.ts';
import { projections } from '../../../shared/runtime/composition/stores.ts';
import { table } from '../../../shared/runtime/composition/tables.ts';
import { sweepPorts } from '../../../shared/runtime/composition/workers.ts';
import { httpFunction } from '../../../shared/runtime/http.ts';
import type { HttpPorts } from '../../../shared/runtime/http-ports.ts';
import { projectionWorker } from '../../../shared/runtime/projection-worker.ts';
import { storeEventsFunction } from '../../../shared/runtime/store-messages.ts';

import { pauseInProcess } from './processes.ts';

/** Sessions are verified by one process for all: the issuer's keys are no store of the service. */
let session: HttpPorts['session'] | undefined;
function entrance(): HttpPorts {
  const ports = httpPorts();
  session ??= ports.session;
  return { ...ports, session };
}

/** The functions as their handlers compose them, each call a process of its own with nothing in its memory. */
const http = {
  collect: () => collectionFunction(collectPorts()),
  ingest: () => {
    const ports = ingestPorts();
    const implementations = {
      postOpenLineageEvent: openLineage(ports, 'openlineage_event'),
      postOpenLineageBatch: openLineage(ports, 'openlineage_batch'),
      postDatahubExport: declared(ports, datahub),
      postSqlmeshProject: declared(ports, sqlmesh),
      postDbtManifest: declared(ports, dbt),
    };
    return httpFunction(intakeRoutes, implementations, entrance());
  },
  queries: () => {
    const ports = queriesPorts();
    return httpFunction(
      { ...impactRoutes, ...deliveryRoutes, ...relationRoutes },
      { ...impactImplementations(ports), ...deliveryImplementations(ports), ...relationImplementations(ports) },
      entrance(),
    );
  },
  policy: () => httpFunction(policyRoutes, policyImplementations(policyPorts()), entrance()),
};

const workers = {
  events: () => storeEventsFunction(storeEventsPorts()),
  projection: () => projectionWorker({ ...projectionWorkerPorts(), pause: pauseInProcess }),
  documents: () => projectionWorker({ ...projectionWorkerPorts(), pause: pauseInProcess }),
};

const sweep = () => sweepTasks(sweepPorts());

/** What operators change the settings of a workspace with. */
const operator = () => ({
  graphs: graphRecords(table(), registry(table())),
  queue: projections(),
  registry: registry(table()),
  clock: systemClock,
  randomBytes,
  actor: 'operator',
});

/** What runs: tests that want a harness to find something put broken functions in the place of these. */
export const serviceRoles = { http, workers, sweep, operator };
export type ServiceRoles = typeof serviceRoles;
