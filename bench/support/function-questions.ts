import { randomUUID } from 'node:crypto';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { FunctionName, pageFunction, workerNames } from '../../lib/function-specs.ts';
import type { seedWorkspace } from '../../local/seed/workspace.ts';
import { sqs } from '../../shared/adapters/aws.ts';
import { agentCheckRoutes } from '../../shared/contract/agent-checks.ts';
import { codehostAppRoutes } from '../../shared/contract/codehost-apps.ts';
import { policyRoutes } from '../../shared/contract/policy.ts';
import { webhookRoutes } from '../../shared/contract/webhooks.ts';

type Workspace = Awaited<ReturnType<typeof seedWorkspace>>;
type Questions<Name extends FunctionName> = Readonly<Record<Name, () => unknown>>;

type WorkerName = (typeof workerNames)[number];
type RecordedQuery = Exclude<FunctionName, WorkerName | typeof pageFunction>;
type Worker = Exclude<WorkerName, 'canary'>;

/** What each function is first asked: `delivery` names what an ingest before it accepted. */
export const questionsOf = (workspace: Workspace, delivery: () => string): Questions<RecordedQuery | Worker> => ({
  ...requestsOf(workspace),
  ...eventsOf(workspace.id, delivery),
});

/** Requests of the API, with the least that each answers. */
function requestsOf({ id: workspace_id, tokens, connectors, collection }: Workspace): Questions<RecordedQuery> {
  const token = tokens['admin'];
  const connector_id = connectors['warehouse']?.id ?? '';
  const own = { workspace_id, connector_id };
  const get = (path: string, query: Readonly<Record<string, string>> = { workspace_id }, params = {}) =>
    request('GET', path, { query, token, params });
  return {
    collect: () => request('POST', '/collect/v1/batch', { body: batchOf(collection['project_key']) }),
    ingest: () => request('POST', '/api/v1/lineage', { query: own, body: runOf(randomUUID()), token }),
    uploads: () => request('POST', '/v1/uploads', { body: uploadOf(workspace_id), token }),
    queries: () => get('/v1/lineage/impact', { ...own, relation_ref: 'w.s.b', direction: 'upstream' }),
    diff: () => get('/v1/lineage/diff', { ...own, from: minutesAgo(2), to: minutesAgo(1) }),
    export: () => get('/v1/lineage/export', { workspace_id, output: 'ndjson' }),
    agent: () => get(agentCheckRoutes.listChecks.path),
    policy: () => get(policyRoutes.getPolicy.path, { workspace_id }, { connector_id }),
    access: () => get('/v1/auth/tokens'),
    codehost: () => get(codehostAppRoutes.listAppConfigs.path),
    webhooks: () => get(webhookRoutes.listWebhooks.path),
    system: () => request('GET', '/openapi.json', {}),
    mcp: () => request('POST', '/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' }, token }),
  };
}

/** Messages of queues and calls of schedules, with the least that each works. */
function eventsOf(workspace_id: string, delivery: () => string): Questions<Worker> {
  const projected = () => records({ version: 1, workspace_id, delivery_id: delivery() });
  const none = { config_id: 'none', delivery_id: 'none' };
  return {
    'store-events': acceptedBatch,
    compactor: () => ({}),
    projector: projected,
    'document-projector': projected,
    notifier: () => records(unnotified(workspace_id)),
    'pull-requests': () => records({ version: 1, kind: 'webhook', workspace_id, ...none, event: 'ping' }),
    sweep: () => ({ task: 'due' }),
  };
}

/** A notification that no webhook asked for. */
const unnotified = (workspace_id: string) => ({
  version: 1,
  kind: 'tell_webhooks',
  workspace_id,
  notification: { id: 'bench', type: 'gap.opened', occurred_at: minutesAgo(0), summary: 'A gap.', data: {} },
});

const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

type Request = {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly token?: string | undefined;
  readonly params?: Readonly<Record<string, string>>;
};

/** A request as API Gateway hands it to a function. */
function request(httpMethod: string, place: string, { query = {}, body, token, params }: Request) {
  const headers = {
    ...(token && { Authorization: [`Bearer ${token}`] }),
    ...(body && { 'Content-Type': ['application/json'] }),
  };
  return {
    httpMethod,
    path: place,
    resource: place,
    headers: Object.fromEntries(Object.entries(headers).map(([name, [value]]) => [name, value])),
    multiValueHeaders: headers,
    queryStringParameters: query,
    multiValueQueryStringParameters: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]])),
    pathParameters: params ?? null,
    body: body ? Buffer.from(JSON.stringify(body)).toString('base64') : null,
    isBase64Encoded: body !== undefined,
    requestContext: { requestId: randomUUID(), identity: { sourceIp: '127.0.0.1' } },
  };
}

const batchOf = (project_key: string | undefined) => ({
  project_key,
  events: [{ id: randomUUID(), type: 'track', event: 'e', user_id: 'u', timestamp: minutesAgo(0) }],
});

const runOf = (runId: string) => ({
  eventType: 'COMPLETE',
  eventTime: minutesAgo(0),
  run: { runId },
  job: { namespace: 'bench', name: 'job' },
  inputs: [{ namespace: 'postgres://w', name: 'w.s.a' }],
  outputs: [{ namespace: 'postgres://w', name: 'w.s.b' }],
  producer: 'https://bench.test',
  schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
});

const uploadOf = (workspace_id: string) => ({
  workspace_id,
  kind: 'openlineage_event',
  content_length: 5_000_000,
  sha256: '0'.repeat(64),
});

/** The message of a batch that the function collect accepted. */
async function acceptedBatch() {
  const queue = { QueueUrl: process.env['EVENTS_QUEUE_URL'], WaitTimeSeconds: 1 };
  const { Messages: [message] = [] } = await sqs().send(new ReceiveMessageCommand(queue));
  return recordOf(message?.Body ?? '');
}

const records = (message: object) => recordOf(JSON.stringify(message));

const recordOf = (body: string) => ({
  Records: [{ messageId: randomUUID(), body, attributes: { ApproximateReceiveCount: '1' }, messageAttributes: {} }],
});
