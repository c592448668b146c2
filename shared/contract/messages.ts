import * as v from 'valibot';
import { RowOrigin } from './collection.ts';
import { count } from './fields.ts';
import { AppConfigId, CheckId, CollectionProjectId, ConnectorId, DeliveryId, WebhookId, WorkspaceId } from './ids.ts';
import type { QueueName } from './stack-outputs.ts';
import { notificationTypes } from './vocabulary.ts';

/** Asks the projection to work an accepted delivery: ids only, the bytes are read again. */
export const ProjectDelivery = v.object({
  version: v.literal(1),
  workspace_id: WorkspaceId,
  delivery_id: DeliveryId,
  /** Set if a declared document was delivered. */
  document: v.optional(v.literal(true)),
});
export type ProjectDelivery = v.InferOutput<typeof ProjectDelivery>;

/** Asks the projection for the next step of the recount that a revision of a connector's policy began. */
export const RecountPolicy = v.object({
  version: v.literal(1),
  kind: v.literal('recount_policy'),
  workspace_id: WorkspaceId,
  connector_id: ConnectorId,
  revision: count,
  /** The step that it asks for: a message that comes twice asks for one step. */
  step: count,
});
export type RecountPolicy = v.InferOutput<typeof RecountPolicy>;

/** Asks for an evaluation of a check: of some nodes of the graph, or of its whole scope. */
export const EvaluateCheck = v.object({
  version: v.literal(1),
  kind: v.literal('evaluate_check'),
  workspace_id: WorkspaceId,
  check_id: CheckId,
  caused_by: v.nullable(DeliveryId),
  nodes: v.nullable(v.array(v.string())),
});
export type EvaluateCheck = v.InferOutput<typeof EvaluateCheck>;

/** Asks for the next step of making a workspace's graph anew by other names. */
export const RewriteNames = v.object({
  version: v.literal(1),
  kind: v.literal('rewrite_names'),
  workspace_id: WorkspaceId,
  /** The change of names that asked for it: a newer one begins anew. */
  changes: count,
  /** The step that it asks for: a message that comes twice asks for one step. */
  step: count,
});
export type RewriteNames = v.InferOutput<typeof RewriteNames>;

/** Asks a worker to state the fields of a collection project's events, for its connector or for a former one. */
export const StateCollection = v.object({
  version: v.literal(1),
  kind: v.literal('state_collection'),
  workspace_id: WorkspaceId,
  project_id: CollectionProjectId,
  /** Null: the connector that the project names then. */
  connector_id: v.nullable(ConnectorId),
});
export type StateCollection = v.InferOutput<typeof StateCollection>;

export const ProjectionMessage = v.union([
  EvaluateCheck,
  RecountPolicy,
  RewriteNames,
  StateCollection,
  ProjectDelivery,
]);
export type ProjectionMessage = v.InferOutput<typeof ProjectionMessage>;

/** The queue of a message: a worker that may hold a whole document in memory takes one message at a time. */
export function queueOf(message: ProjectionMessage): Extract<QueueName, 'projection' | 'documents'> {
  if ('delivery_id' in message) return message.document ? 'documents' : 'projection';
  // Making a graph anew reads every document of a workspace again.
  return message.kind === 'rewrite_names' ? 'documents' : 'projection';
}

/** Asks the store to keep one accepted batch. The rows are NDJSON packed by Zstandard, here or, if a message cannot hold them, in an object. */
export const StoreEvents = v.object({
  version: v.literal(1),
  batch_id: v.pipe(v.string(), v.uuid()),
  origin: RowOrigin,
  events: count,
  rows: v.variant('in', [
    v.object({ in: v.literal('message'), base64: v.string() }),
    v.object({ in: v.literal('object'), key: v.string() }),
  ]),
});
export type StoreEvents = v.InferOutput<typeof StoreEvents>;

/** Asks for what a webhook says to be worked: the body is read again. */
export const WorkWebhook = v.object({
  version: v.literal(1),
  kind: v.literal('webhook'),
  workspace_id: WorkspaceId,
  config_id: AppConfigId,
  delivery_id: v.string(),
  event: v.string(),
});
export type WorkWebhook = v.InferOutput<typeof WorkWebhook>;

/** Asks for a check of a pull request as it is then. */
export const CheckPullRequest = v.object({
  version: v.literal(1),
  kind: v.literal('check_pull_request'),
  workspace_id: WorkspaceId,
  config_id: AppConfigId,
  installation_id: v.string(),
  repository: v.string(),
  number: count,
  /** How often it was tried while the host could not be asked. */
  attempt: count,
  /** The host asked to wait until then. */
  not_before: v.nullable(v.string()),
});
export type CheckPullRequest = v.InferOutput<typeof CheckPullRequest>;

/** What the queue of code hosts carries. */
export const CodehostMessage = v.variant('kind', [WorkWebhook, CheckPullRequest]);
export type CodehostMessage = v.InferOutput<typeof CodehostMessage>;

/** What a schedule asks of the sweep: re-send what is due, look for gaps, remove what nothing needs, look at checks again, archive small payloads, list names. */
const sweepTasks = ['due', 'gaps', 'garbage', 'checks', 'payloads', 'names'] as const;
export type SweepTask = (typeof sweepTasks)[number];

export const SweepRequest = v.object({
  task: v.picklist(sweepTasks),
  /** Does now what the task otherwise does once an hour. */
  hourly: v.optional(v.boolean(), false),
});
export type SweepRequest = v.InferOutput<typeof SweepRequest>;

const notified = { version: v.literal(1), workspace_id: WorkspaceId };

/** Something that happened, for the webhooks of its workspace. */
export const Notification = v.object({
  id: v.string(),
  type: v.picklist(notificationTypes),
  occurred_at: v.string(),
  /** One sentence, without any value of the data. */
  summary: v.string(),
  /** Ids, codes, counts, and names from the graph. */
  data: v.record(v.string(), v.unknown()),
});
export type Notification = v.InferOutput<typeof Notification>;

/** Tells the webhooks of a workspace of something that happened. */
export const TellWebhooks = v.object({ ...notified, kind: v.literal('tell_webhooks'), notification: Notification });
export type TellWebhooks = v.InferOutput<typeof TellWebhooks>;

/** Asks for an attempt to deliver a notification to a webhook. */
export const AttemptWebhook = v.object({
  ...notified,
  kind: v.literal('attempt_webhook'),
  webhook_id: WebhookId,
  notification_id: v.string(),
  /** The attempt that it asks for, from 1: a message that comes twice asks for one attempt. */
  attempt: count,
});
export type AttemptWebhook = v.InferOutput<typeof AttemptWebhook>;

export const NotificationMessage = v.union([TellWebhooks, AttemptWebhook]);
export type NotificationMessage = v.InferOutput<typeof NotificationMessage>;
