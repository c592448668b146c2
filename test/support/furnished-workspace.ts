import * as v from 'valibot';
import { routes } from '../../shared/contract/api/routes.ts';
import { createProjectKey, createServerKey } from '../../shared/domain/access/collection-keys.ts';
import { createCollectionProject } from '../../shared/domain/access/collection-projects.ts';
import { createConnector } from '../../shared/domain/access/connectors.ts';
import { linkProject } from '../../shared/domain/access/linked-projects.ts';
import type { AccessWorld } from './access-world.ts';
import type { Send } from './deployed-functions.ts';
import { exampleOf } from './route-examples.ts';

const Accepted = v.object({ delivery_id: v.string() });
const Providers = v.object({ items: v.tupleWithRest([v.object({ id: v.string() })], v.unknown()) });

/**
 * A workspace with one of everything that a request may name: a connector, a linked project, a delivery with its
 * provider and its lineage, an upload, an access request, a check, an artifact, a memory candidate, an access token, a collection project with its keys.
 */
export async function furnishedWorkspace(
  { operator, issuer, token, workspace }: AccessWorld,
  send: Send,
  name: string,
) {
  const { id } = await workspace(name);
  const namespace = `postgres://${name}.test:5432`;
  const { record: connector } = await createConnector(operator, id, {
    name: 'warehouse',
    kind: 'postgres',
    namespaces: [namespace],
  });
  await linkProject(operator, id, `${name}-dbt`);
  const admin = await issuer.sign(`${name}-admin`);
  const dataset = (table: string) => [{ namespace, name: `shop.${name}.${table}` }];
  const delivered = await send({
    route: routes.postOpenLineageEvent,
    token: admin,
    query: { workspace_id: id, connector_id: connector.id },
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
  const { delivery_id } = v.parse(Accepted, JSON.parse(delivered.text));
  await project(id, delivery_id);
  const listed = await send({ route: routes.listProviders, token: admin, query: { workspace_id: id } });
  const [provider] = v.parse(Providers, JSON.parse(listed.text)).items;
  const announced = await send({ ...exampleOf(routes.createUpload, { workspace_id: id }), token: admin });
  const { upload_id } = v.parse(v.object({ upload_id: v.string() }), JSON.parse(announced.text));
  const requested = await send({
    ...exampleOf(routes.createAccessRequest, { workspace_id: id, connector_id: connector.id }),
    token: await issuer.sign(`${name}-viewer`),
  });
  const { id: access_request_id } = v.parse(v.object({ id: v.string() }), JSON.parse(requested.text));
  const checked = await send({ ...exampleOf(routes.createCheck, { workspace_id: id }), token: admin });
  const { id: check_id } = v.parse(v.object({ id: v.string() }), JSON.parse(checked.text));
  const drafted = await send({ ...exampleOf(routes.createArtifact, { workspace_id: id }), token: admin });
  const { id: artifact_id } = v.parse(v.object({ id: v.string() }), JSON.parse(drafted.text));
  const remembered = await send({
    route: routes.generateCandidates,
    token: admin,
    body: { workspace_id: id, correction_text: 'orders exclude refunds. revenue is net revenue.' },
  });
  const { items } = v.parse(v.object({ items: v.array(v.object({ id: v.string() })) }), JSON.parse(remembered.text));
  const approved = await send({
    route: routes.approveCandidate,
    token: admin,
    params: { candidate_id: items[1]?.id ?? '' },
    query: { workspace_id: id },
  });
  const { approved_memory_id: memory_id } = v.parse(
    v.object({ approved_memory_id: v.string() }),
    JSON.parse(approved.text),
  );
  const configured = await send({ ...exampleOf(routes.putAppConfig, { workspace_id: id }), token: admin });
  const { id: config_id } = v.parse(v.object({ id: v.string() }), JSON.parse(configured.text));
  const hooked = await send({ ...exampleOf(routes.createWebhook, { workspace_id: id }), token: admin });
  const { id: webhook_id } = v.parse(v.object({ id: v.string() }), JSON.parse(hooked.text));
  const { record: kept } = await token(id, `${name}-admin`, ['read']);
  const { record: shop } = await createCollectionProject(operator, id, { name: 'shop', environments: ['prod'] });
  const place = { workspace_id: id, project_id: shop.id };
  const projectKey = await createProjectKey(operator, place, { name: 'web', environment: 'prod' });
  const spareKey = await createProjectKey(operator, place, { name: 'spare', environment: 'prod' });
  const serverKey = await createServerKey(operator, place, 'backend');
  return {
    id,
    name,
    projectKey: String(projectKey.key),
    serverKey: String(serverKey.key),
    /** By the names that the fields of requests have. */
    known: {
      collection_project_id: shop.id,
      project_key_id: spareKey.record.id,
      workspace_id: id,
      connector_id: connector.id,
      delivery_id,
      provider_instance_id: provider.id,
      token_id: kept.id,
      upload_id,
      access_request_id,
      check_id,
      artifact_id,
      config_id,
      webhook_id,
      installation_id: '1',
      state: 's'.repeat(12),
      candidate_id: items[0]?.id ?? '',
      memory_id,
      relation_ref: `shop.${name}.orders`,
    },
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
