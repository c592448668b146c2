import { randomBytes } from 'node:crypto';
import { checkImplementations } from '../../../functions/agent/checks.ts';
import { checkImplementations as pullRequestImplementations } from '../../../functions/codehost/checks.ts';
import { intakeImplementations } from '../../../functions/ingest/intake.ts';
import { policyImplementations } from '../../../functions/policy/policy.ts';
import { deliveryImplementations } from '../../../functions/queries/deliveries.ts';
import { impactImplementations, relationImplementations } from '../../../functions/queries/impact.ts';
import { sweepTasks } from '../../../functions/sweep/tasks.ts';
import { uploadImplementations } from '../../../functions/uploads/uploads.ts';
import { webhookImplementations } from '../../../functions/webhooks/webhooks.ts';
import { registry } from '../../../shared/adapters/dynamodb/registry/registry.ts';
import { graphRewriter } from '../../../shared/adapters/graph-stores.ts';
import { agentCheckRoutes } from '../../../shared/contract/agent-checks.ts';
import { codehostCheckRoutes } from '../../../shared/contract/codehost-checks.ts';
import { deliveryRoutes } from '../../../shared/contract/deliveries.ts';
import { impactRoutes } from '../../../shared/contract/explain.ts';
import type { WorkspaceId } from '../../../shared/contract/ids.ts';
import { intakeRoutes } from '../../../shared/contract/lineage.ts';
import { policyRoutes } from '../../../shared/contract/policy.ts';
import { relationRoutes } from '../../../shared/contract/relations.ts';
import { uploadRoutes } from '../../../shared/contract/uploads.ts';
import { webhookRoutes } from '../../../shared/contract/webhooks.ts';
import { systemClock } from '../../../shared/domain/base/time/timestamp.ts';
import { remakeGraph } from '../../../shared/domain/operations/rewrite/remake-graph.ts';
import { codehostWorker, notificationWorker } from '../../../shared/runtime/codehost-worker.ts';
import { collectionFunction } from '../../../shared/runtime/collection-http.ts';
import { agentPorts } from '../../../shared/runtime/composition/agent.ts';
import { codehostPorts, pullRequestPorts } from '../../../shared/runtime/composition/codehost.ts';
import { collectPorts, storeEventsPorts } from '../../../shared/runtime/composition/collection.ts';
import { httpPorts, ingestPorts, uploadPorts } from '../../../shared/runtime/composition/intake.ts';
import { notifierPorts, webhookPorts } from '../../../shared/runtime/composition/notifications.ts';
import { policyPorts, queriesPorts } from '../../../shared/runtime/composition/queries.ts';
import { projections, rawBucket, table } from '../../../shared/runtime/composition/stores.ts';
import { projectionWorkerPorts, sweepPorts } from '../../../shared/runtime/composition/workers.ts';
import { httpFunction } from '../../../shared/runtime/http.ts';
import type { HttpPorts } from '../../../shared/runtime/http-ports.ts';
import { projectionWorker } from '../../../shared/runtime/projection-worker.ts';
import { storeEventsFunction } from '../../../shared/runtime/store-messages.ts';
import { fetchInProcess, pauseInProcess } from './processes.ts';

/** Sessions are verified by one process for all: the issuer's keys are no store of the service. */
let session: HttpPorts['session'] | undefined;
function entrance(): HttpPorts {
  const ports = httpPorts();
  session ??= ports.session;
  return { ...ports, session };
}

/** The functions as their handlers compose them, each call its own process with nothing in its memory. */
const http = {
  collect: () => collectionFunction(collectPorts()),
  ingest: () => httpFunction(intakeRoutes, intakeImplementations(ingestPorts()), entrance()),
  queries: () => {
    const ports = queriesPorts();
    return httpFunction(
      { ...impactRoutes, ...deliveryRoutes, ...relationRoutes },
      { ...impactImplementations(ports), ...deliveryImplementations(ports), ...relationImplementations(ports) },
      entrance(),
    );
  },
  policy: () => httpFunction(policyRoutes, policyImplementations(policyPorts()), entrance()),
  uploads: () => httpFunction(uploadRoutes, uploadImplementations(uploadPorts()), entrance()),
  webhooks: () => httpFunction(webhookRoutes, webhookImplementations(webhookPorts()), entrance()),
  repositories: () => httpFunction(codehostCheckRoutes, pullRequestImplementations(codehostPorts()), entrance()),
  agent: () => httpFunction(agentCheckRoutes, checkImplementations(agentPorts()), entrance()),
};

const workers = {
  events: () => storeEventsFunction(storeEventsPorts()),
  projection: () => projectionWorker({ ...projectionWorkerPorts(), pause: pauseInProcess }),
  documents: () => projectionWorker({ ...projectionWorkerPorts(), pause: pauseInProcess }),
  notifications: () => notificationWorker(notifierPorts(fetchInProcess)),
  codehost: () => codehostWorker(pullRequestPorts(fetchInProcess)),
};

const sweep = () => sweepTasks(sweepPorts());

/** What operators change the settings of a workspace with, and repair it. */
function operator() {
  const [from, raw] = [table(), rawBucket()];
  const changing = { registry: registry(from), clock: systemClock, randomBytes, actor: 'operator' };
  const rewriter = { ...graphRewriter(from, raw), clock: systemClock };
  return {
    ...changing,
    raw,
    graphs: rewriter.graphs,
    queue: projections(),
    rebuild: (workspace: WorkspaceId) => remakeGraph(changing, rewriter, workspace),
  };
}

/** What runs: tests that want a harness to find something put broken functions in the place of these. */
export const serviceRoles = { http, workers, sweep, operator };
export type ServiceRoles = typeof serviceRoles;
