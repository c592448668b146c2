import { ProjectionMessage } from '../contract/messages.ts';
import { type CheckRunner, evaluateQueued } from '../domain/agents/checks/evaluate-queued.ts';
import { type CollectionStatements, stateCollection } from '../domain/events/shapes/state-collection.ts';
import { projectDelivery, type WorkerPorts } from '../domain/lineage/projection/project-content.ts';
import { recountStep } from '../domain/operations/recount/recount-step.ts';
import { type RewritePorts, rewriteStep } from '../domain/operations/rewrite/rewrite-step.ts';
import { type QueueHandler, queueFunction } from './queue.ts';
import type { HandBack } from './report-failures.ts';

/** Every worker handles messages of every queue: deliveries, recounts, renames and checks. */
export const projectionWorker = (
  ports: WorkerPorts & {
    readonly recount: Parameters<typeof recountStep>[0];
    readonly check: CheckRunner;
    readonly rewrite: RewritePorts;
    readonly collection: CollectionStatements;
    readonly handBack: HandBack;
  },
): QueueHandler =>
  queueFunction(ProjectionMessage, ports.handBack, (message, received) => {
    if ('delivery_id' in message) return projectDelivery(ports, message, received);
    switch (message.kind) {
      case 'recount_policy':
        return recountStep(ports.recount, message);
      case 'rewrite_names':
        return rewriteStep(ports.rewrite, message);
      case 'evaluate_check':
        return evaluateQueued(ports.check, message);
      case 'state_collection':
        return stateCollection(ports.collection, message);
    }
  });
