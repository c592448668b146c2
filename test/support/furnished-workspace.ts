import * as v from 'valibot';
import { routes } from '../../shared/contract/api/routes.ts';
import type { ConnectorId, WorkspaceId } from '../../shared/contract/ids.ts';
import type { Route } from '../../shared/contract/route.ts';
import { createProjectKey, createServerKey } from '../../shared/domain/workspaces/access/collection-keys.ts';
import { createCollectionProject, linkProject } from '../../shared/domain/workspaces/access/collection-projects.ts';
import { createConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import type { Operator } from '../../shared/domain/workspaces/access/operator.ts';
import type { AccessWorld } from './access-world.ts';
import type { Send, Sent } from './deployed-functions.ts';
import { exampleOf } from './route-examples.ts';

const Providers = v.object({ items: v.tupleWithRest([v.object({ id: v.string() })], v.unknown()) });
const Candidates = v.object({ items: v.array(v.object({ id: v.string() })) });

/**
 * A workspace with one of everything that a request may name: a connector, a linked project, a delivery with its
 * provider and its lineage, an upload, an access request, a check, an artifact, a memory candidate, an access token, a
 * collection project with its keys.
 */
export async function furnishedWorkspace(world: AccessWorld, send: Send, name: string) {
  const { operator, issuer, token, workspace } = world;
  const { id } = await workspace(name);
  const namespace = `postgres://${name}.test:5432`;
  const settings = { name: 'warehouse', kind: 'postgres' as const, namespaces: [namespace] };
  const { record: connector } = await createConnector(operator, id, settings);
  await linkProject(operator, id, `${name}-dbt`);
  const ask = asking(send, await issuer.sign(`${name}-admin`), { workspace_id: id, connector_id: connector.id });
  const delivered = await deliveredEvent(ask, name, namespace);
  const { record: stored } = await token(id, `${name}-admin`, ['read']);
  const { keys, known: collected } = await collectionOf(operator, id);
  return {
    id,
    name,
    ...keys,
    /** By the names that the fields of requests have. */
    known: {
      workspace_id: id,
      connector_id: connector.id,
      token_id: stored.id,
      installation_id: '1',
      state: 's'.repeat(12),
      relation_ref: `shop.${name}.orders`,
      access_request_id: await ask.made(routes.createAccessRequest, await issuer.sign(`${name}-viewer`)),
      ...delivered,
      ...collected,
      ...(await approvedMemory(ask)),
      ...(await examplesOf(ask)),
    },
  };
}

type Own = { readonly workspace_id: WorkspaceId; readonly connector_id: ConnectorId };
type Asking = ReturnType<typeof asking>;

/** Requests of an admin in a workspace. */
function asking(send: Send, admin: string, own: Own) {
  const answered = async (sent: Sent): Promise<unknown> => JSON.parse((await send({ token: admin, ...sent })).text);
  return {
    own,
    answered,
    /** The id of the resource that a route's example creates. */
    made: async (route: Route, token = admin, field = 'id'): Promise<string> =>
      v.parse(v.looseObject({ [field]: v.string() }), await answered({ ...exampleOf(route, own), token }))[field] ?? '',
  };
}

/** An event that was accepted and projected, and the provider that it is of. */
async function deliveredEvent({ answered, own }: Asking, name: string, namespace: string) {
  const dataset = (table: string) => [{ namespace, name: `shop.${name}.${table}` }];
  const accepted = await answered({
    route: routes.postOpenLineageEvent,
    query: own,
    headers: { 'Idempotency-Key': `${name}-key` },
    body: {
      eventTime: '2026-11-21T12:00:00Z',
      producer: 'https://producer.test',
      schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobEvent',
      job: { namespace: name, name: 'load' },
      inputs: dataset('orders'),
      outputs: dataset('revenue'),
    },
  });
  const { delivery_id } = v.parse(v.object({ delivery_id: v.string() }), accepted);
  await project(own.workspace_id, delivery_id);
  const query = { workspace_id: own.workspace_id };
  const [provider] = v.parse(Providers, await answered({ route: routes.listProviders, query })).items;
  return { delivery_id, provider_instance_id: provider.id };
}

/** What the examples of routes make, one of each. */
const examplesOf = async ({ made }: Asking) => ({
  upload_id: await made(routes.createUpload, undefined, 'upload_id'),
  check_id: await made(routes.createCheck),
  artifact_id: await made(routes.createArtifact),
  config_id: await made(routes.putAppConfig),
  webhook_id: await made(routes.createWebhook),
});

/** A candidate that waits, and a memory that another was approved as. */
async function approvedMemory({ answered, own: { workspace_id } }: Asking) {
  const correction_text = 'orders exclude refunds. revenue is net revenue.';
  const generated = await answered({ route: routes.generateCandidates, body: { workspace_id, correction_text } });
  const [waiting, other] = v.parse(Candidates, generated).items;
  const approved = await answered({
    route: routes.approveCandidate,
    params: { candidate_id: other?.id ?? '' },
    query: { workspace_id },
  });
  const { approved_memory_id } = v.parse(v.object({ approved_memory_id: v.string() }), approved);
  return { candidate_id: waiting?.id ?? '', memory_id: approved_memory_id };
}

/** A collection project with two keys of pages and one of servers. */
async function collectionOf(operator: Operator, workspace_id: WorkspaceId) {
  const shop = { name: 'shop', environments: ['prod'] };
  const { record } = await createCollectionProject(operator, workspace_id, shop);
  const projectKey = await createProjectKey(operator, record, { name: 'web', environment: 'prod' });
  const spareKey = await createProjectKey(operator, record, { name: 'spare', environment: 'prod' });
  const serverKey = await createServerKey(operator, record, 'backend');
  return {
    keys: { projectKey: String(projectKey.key), serverKey: String(serverKey.key) },
    known: { collection_project_id: record.id, project_key_id: spareKey.record.id },
  };
}

export type FurnishedWorkspace = Awaited<ReturnType<typeof furnishedWorkspace>>;

/** Works a delivery as the queue would have it worked. */
async function project(workspace_id: string, delivery_id: string): Promise<void> {
  const { handler } = await import('../../functions/projector/handler.ts');
  const body = JSON.stringify({ version: 1, workspace_id, delivery_id });
  const record = { messageId: delivery_id, body, attributes: { ApproximateReceiveCount: '1' } };
  const { batchItemFailures } = await handler(
    { Records: [record] } as never,
    { awsRequestId: 'work', getRemainingTimeInMillis: () => 900_000 } as never,
  );
  if (batchItemFailures.length > 0) throw new Error('the delivery was not worked');
}
