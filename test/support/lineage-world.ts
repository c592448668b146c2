import * as v from 'valibot';
import { scopeImplementations } from '../../functions/access/access.ts';
import { diffImplementations } from '../../functions/diff/diff.ts';
import { intakeImplementations } from '../../functions/ingest/intake.ts';
import { deliveryImplementations, historyImplementations } from '../../functions/queries/deliveries.ts';
import { impactImplementations, relationImplementations } from '../../functions/queries/impact.ts';
import { deliveryRoutes, type LineageDelivery } from '../../shared/contract/deliveries.ts';
import { diffRoutes } from '../../shared/contract/diff-routes.ts';
import { impactRoutes } from '../../shared/contract/explain.ts';
import { historyRoutes } from '../../shared/contract/graph-changes.ts';
import { intakeRoutes } from '../../shared/contract/lineage.ts';
import { ProjectionMessage } from '../../shared/contract/messages.ts';
import { overviewRoutes } from '../../shared/contract/overview.ts';
import { relationRoutes } from '../../shared/contract/relations.ts';
import { scopeRoutes } from '../../shared/contract/scopes.ts';
import type { ConnectorKind } from '../../shared/contract/vocabulary.ts';
import { evaluateQueued } from '../../shared/domain/agents/checks/evaluate-queued.ts';
import { stateCollection } from '../../shared/domain/events/shapes/state-collection.ts';
import { projectDelivery } from '../../shared/domain/lineage/projection/project-content.ts';
import { rewriteStep } from '../../shared/domain/operations/rewrite/rewrite-step.ts';
import { linkProject } from '../../shared/domain/workspaces/access/collection-projects.ts';
import { createConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import { checkPorts } from '../../shared/runtime/composition/agent.ts';
import { httpPorts, ingestPorts } from '../../shared/runtime/composition/intake.ts';
import { diffPorts, queriesPorts, scopePorts } from '../../shared/runtime/composition/queries.ts';
import { collectionStatements, projectorPorts, rewritePorts } from '../../shared/runtime/composition/workers.ts';
import { responder } from '../../shared/runtime/http.ts';
import { type AccessWorld, request, startAccessWorld } from './access-world.ts';
import { drainQueue } from './intake-ports.ts';

type Parts = NonNullable<Parameters<typeof request>[2]>;
type Respond = ReturnType<typeof responder>;

/**
 * The routes that take lineage in and those that answer questions about it, over their own stores.
 *
 * @param bundled works a message of the projection queue in the place of the worker's own code
 */
export async function startLineageWorld(bundled?: (message: unknown) => Promise<unknown>) {
  const world = await startAccessWorld();
  const take = intakeResponder();
  const answer = queryResponder();
  const work = bundled ?? projectionWorker();
  let built = 0;

  /** Works what the queue holds, as the worker does. */
  async function settle(): Promise<void> {
    for (let messages = await drainQueue(); messages.length > 0; messages = await drainQueue())
      for (const message of messages) await work(message);
  }

  return {
    ...world,
    settle,
    /** A workspace with a connector, of postgres unless another kind is given, the linked project `crm`, and tokens of each role. */
    place: async (settings: { readonly namespaces?: string[]; readonly kind?: ConnectorKind } = {}) => {
      const name = `lineage-${built++}`;
      const { namespaces = [`postgres://${name}:5432`], kind = 'postgres' } = settings;
      const furnished = await furnish(world, name, { namespaces, kind });
      return { ...furnished, ...asking(answer, furnished), ...sending(take, settle, furnished) };
    },
  };
}

export type LineageWorld = Awaited<ReturnType<typeof startLineageWorld>>;
export type LineagePlace = Awaited<ReturnType<LineageWorld['place']>>;

function intakeResponder(): Respond {
  return responder(intakeRoutes, intakeImplementations(ingestPorts()), httpPorts());
}

function queryResponder(): Respond {
  const serve = queriesPorts();
  return responder(
    {
      ...impactRoutes,
      ...relationRoutes,
      ...overviewRoutes,
      ...diffRoutes,
      ...scopeRoutes,
      ...deliveryRoutes,
      ...historyRoutes,
    },
    {
      ...deliveryImplementations(serve),
      ...historyImplementations(serve),
      ...impactImplementations(serve),
      ...relationImplementations(serve),
      ...scopeImplementations(scopePorts()),
      ...diffImplementations(diffPorts()),
    },
    httpPorts(),
  );
}

/** Works a message by the worker's own code. */
function projectionWorker() {
  const [projector, checks, rewrite] = [projectorPorts(), checkPorts(), rewritePorts()];
  const collection = collectionStatements();
  return async (message: unknown): Promise<void> => {
    const parsed = v.parse(ProjectionMessage, message);
    if ('delivery_id' in parsed) await projectDelivery(projector, parsed, { receiveCount: 1 });
    else if (parsed.kind === 'evaluate_check') await evaluateQueued(checks, parsed);
    else if (parsed.kind === 'rewrite_names') await rewriteStep(rewrite, parsed);
    else if (parsed.kind === 'state_collection') await stateCollection(collection, parsed);
  };
}

async function furnish(
  { workspace: create, operator, issuer }: AccessWorld,
  name: string,
  { namespaces, kind }: { readonly namespaces: string[]; readonly kind: ConnectorKind },
) {
  const workspace = (await create(name)).id;
  const { record: connector } = await createConnector(operator, workspace, {
    name: 'warehouse',
    kind,
    namespaces,
    default_database: 'crm',
    default_schema: 'core',
  });
  await linkProject(operator, workspace, 'crm');
  const sign = (role: string) => issuer.sign(`${name}-${role}`);
  const tokens = { viewer: await sign('viewer'), editor: await sign('editor'), admin: await sign('admin') };
  return { workspace, connector, namespace: namespaces[0] ?? '', tokens };
}

type Furnished = Awaited<ReturnType<typeof furnish>>;
type Query = Readonly<Record<string, string | readonly string[]>>;

/** Questions of a viewer about a workspace and its connector. */
function asking(answer: Respond, { workspace, connector, tokens }: Furnished) {
  const own = { workspace_id: workspace, connector_id: connector.id };
  const reply = async (method: string, path: string, parts: Parts) => {
    const { status, body } = await answer(request(method, path, { token: tokens.viewer, ...parts }));
    return { status, json: JSON.parse(String(body)) };
  };
  return {
    ask: (path: string, query: Query, parts: Parts = {}) =>
      reply('GET', path, { query: { ...own, ...query }, ...parts } as Parts),
    /** What became of a delivery. */
    receipt: async (delivery_id: string): Promise<LineageDelivery> => {
      const query = { workspace_id: workspace };
      const { json } = await reply('GET', '/v1/lineage/deliveries/{delivery_id}', { params: { delivery_id }, query });
      return json;
    },
    post: (path: string, body: object, parts: Parts = {}) =>
      reply('POST', path, { body: { ...own, ...body }, ...parts }),
  };
}

/** What an editor sends; it is worked when the promise resolves. */
function sending(take: Respond, settle: () => Promise<void>, { workspace, connector, tokens }: Furnished) {
  const own = { workspace_id: workspace, connector_id: connector.id };
  const accept = async (path: string, parts: Parts) => {
    const { status, body } = await take(request('POST', path, { token: tokens.editor, ...parts }));
    return { status, json: JSON.parse(String(body)) };
  };
  const deliver = async (path: string, parts: Parts) => {
    const answer = await accept(path, parts);
    await settle();
    return answer;
  };
  return {
    /** Accepts a request unchanged. */
    deliver,
    /** Accepts a body that names its workspace and connector, to be processed by the next settle. */
    accept: (path: string, body: object) => accept(path, { body: { ...own, ...body } }),
    /** Accepts and processes a body that names its workspace and connector. */
    declare: (path: string, body: object) => deliver(path, { body: { ...own, ...body } }),
    /** Accepts and processes OpenLineage events. */
    emit: (body: object) => deliver(`/api/v1/lineage${Array.isArray(body) ? '/batch' : ''}`, { body, query: own }),
  };
}
