import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import { routes } from '../../../shared/contract/api/routes.ts';
import type { Route } from '../../../shared/contract/route.ts';
import type { QueueName } from '../../../shared/contract/stack-outputs.ts';
import datahub from '../../fixtures/datahub/crm-catalog.json' with { type: 'json' };
import dbt from '../../fixtures/dbt/crm-manifest.json' with { type: 'json' };
import sqlmesh from '../../fixtures/sqlmesh/crm-export.json' with { type: 'json' };
import type { AccessWorld } from '../access-world.ts';
import type { Answer, Send, Sent } from '../deployed-functions.ts';
import { type FurnishedWorkspace, furnishedWorkspace } from '../furnished-workspace.ts';
import { exampleOf } from '../route-examples.ts';
import { runEvent } from '../run-event.ts';
import { type Asked, type Line, stored, taken } from './stored.ts';

const name = 'recorded';
const admin = `${name}-admin`;

/** The bundle that works each queue. */
const workers = {
  events: 'store-events',
  projection: 'projector',
  documents: 'document-projector',
  notifications: 'notifier',
  codehost: 'pull-requests',
} as const satisfies Record<QueueName, string>;

/** Works a message as the queue would have it worked; answers whether it is over. */
export async function worked({ queue, body }: { readonly queue: QueueName; readonly body: string }): Promise<boolean> {
  const { handler } = await import(`../../../functions/${workers[queue]}/handler.ts`);
  const record = { messageId: 'message', receiptHandle: 'handle', body, attributes: { ApproximateReceiveCount: '1' } };
  const context = { awsRequestId: 'work', getRemainingTimeInMillis: () => 900_000 };
  const { batchItemFailures } = await handler({ Records: [record] }, context);
  return batchItemFailures.length === 0;
}

/** Works all messages until there are none. */
async function settle(): Promise<void> {
  for (let some = true; some; ) {
    some = false;
    for await (const message of taken()) {
      if (!(await worked(message))) throw new Error(`A message of ${message.queue} was not worked.`);
      some = true;
    }
  }
}

/** Asks as a user of the recorded workspace. */
export const answerTo = async ({ issuer }: AccessWorld, send: Send, { route, user, params, query }: Asked) =>
  send({
    route: (routes as Readonly<Record<string, Route>>)[route] as Route,
    token: await issuer.sign(user),
    params,
    query,
  });

/** What a version leaves behind: a workspace with some of everything, work under way, and what it answers about it. */
export async function* recording(world: AccessWorld, send: Send): AsyncGenerator<Line> {
  const place = await furnishedWorkspace(world, send, name);
  const { workspace_id, connector_id, delivery_id, relation_ref } = place.known;
  const token = await world.issuer.sign(admin);
  const sent = async (what: Sent): Promise<Answer> => {
    const answer = await send({ token, ...what });
    if (answer.status >= 300) throw new Error(`${what.route.path} answered ${answer.status}: ${answer.text}`);
    return answer;
  };
  const own = { workspace_id, connector_id };
  const declare = (route: Route, body: object) => sent({ route, body: { ...own, ...body } });
  const evidence = async (version: string) => {
    const columns = { total: [[`shop.${name}.orders`, 'amount']] } as const;
    const event = runEvent(`postgres://${name}.test:5432`, [`shop.${name}.orders`], [`shop.${name}.${version}`], {
      columns,
    });
    await sent({ route: routes.postOpenLineageEvent, query: own, body: event });
    await sent({
      route: routes.postOpenLineageBatch,
      query: own,
      body: [event, { ...event, run: { runId: event.run.runId }, eventType: 'OTHER' }],
    });
    const project_id = `${name}-dbt`;
    await declare(routes.postDbtManifest, {
      manifest: dbt,
      project_id,
      source_event_key: version,
      completeness: 'complete',
    });
    await declare(routes.postSqlmeshProject, { project: sqlmesh, source_event_key: version });
    await declare(routes.postDatahubExport, { export: datahub, source_event_key: version });
    const { projectKey: project_key } = place;
    const events = [
      { id: `${version}-1`, type: 'track', timestamp: new Date().toISOString(), event: 'Order placed', user_id: 'u' },
    ];
    await sent({ route: routes.collectBatch, token: null, body: { project_key, events } });
  };
  await evidence('first');
  await settle();
  // A check that fails, which notifies webhooks.
  const failing = { workspace_id, name: 'nothing feeds it', expectation: 'at most 0 upstream relations' };
  const made = await sent({ route: routes.createCheck, body: failing });
  const { id: check_id } = v.parse(v.object({ id: v.string() }), JSON.parse(made.text));
  await sent({ ...exampleOf(routes.runCheck, { ...place.known, check_id }), route: routes.runCheck });
  await evidence('second');
  await pinged(sent, place.known);
  const policy = exampleOf(routes.putPolicy, place.known);
  await sent({ ...policy, route: routes.putPolicy });
  await sent({ ...exampleOf(routes.createWebhook, place.known), route: routes.createWebhook });
  const at = { ...own, as_of: new Date().toISOString() };
  const questions: readonly Omit<Asked, 'user' | 'params'>[] = [
    ...['both', 'upstream', 'downstream'].map((direction) => ({
      route: 'getImpact',
      query: { ...at, relation_ref, direction },
    })),
    { route: 'getImpact', query: { ...at, relation_ref, column_ref: 'amount' } },
    { route: 'getRelation', query: { ...own, relation_ref } },
    { route: 'listRelations', query: { ...own, q: 'or' } },
    { route: 'listDeliveries', query: own },
    { route: 'listProviders', query: { workspace_id } },
    { route: 'listWebhooks', query: { workspace_id } },
    { route: 'listAppConfigs', query: { workspace_id } },
    { route: 'listCollectionProjects', query: { workspace_id } },
  ];
  for (const question of questions) yield await asked({ ...question, user: admin, params: {} });
  for (const route of ['getPolicy', 'listPolicyRevisions'])
    yield await asked({ route, user: admin, params: { connector_id }, query: { workspace_id } });
  yield await asked({ route: 'getDelivery', user: admin, params: { delivery_id }, query: { workspace_id } });
  yield { recorded_at: new Date().toISOString() };
  yield* taken();
  yield* stored();

  async function asked(question: Asked): Promise<Line> {
    const { status, text } = await answerTo(world, send, question);
    return { asked: question, status, answered: JSON.parse(text) };
  }
}

/** Has the app of the workspace receive a webhook, which waits to be worked. */
async function pinged(sent: (what: Sent) => Promise<Answer>, known: FurnishedWorkspace['known']): Promise<void> {
  const secret = 'recorded-webhook-secret';
  const put = exampleOf(routes.putAppConfig, known);
  await sent({ ...put, body: { ...Object(put.body), config_id: known.config_id, webhook_secret: secret } });
  const body = Buffer.from('{"zen":"Design for failure."}');
  const headers = {
    'Content-Type': 'application/json',
    'X-GitHub-Event': 'ping',
    'X-GitHub-Delivery': 'recorded-1',
    'X-Hub-Signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  };
  await sent({ route: routes.receiveWebhook, params: { config_id: known.config_id }, headers, token: null, body });
}
