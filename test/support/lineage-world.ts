import * as v from 'valibot';
import { diffImplementations } from '../../functions/diff/diff.ts';
import { declared } from '../../functions/ingest/declared.ts';
import { openLineage } from '../../functions/ingest/openlineage.ts';
import { impactImplementations } from '../../functions/queries/impact.ts';
import { relationImplementations } from '../../functions/queries/relations.ts';
import { ProjectionMessage } from '../../shared/contract/messages.ts';
import { diffRoutes } from '../../shared/contract/routes/diff.ts';
import { impactRoutes } from '../../shared/contract/routes/impact.ts';
import { intakeRoutes } from '../../shared/contract/routes/ingest.ts';
import { relationRoutes } from '../../shared/contract/routes/relations.ts';
import { createConnector } from '../../shared/domain/access/connectors.ts';
import { linkProject } from '../../shared/domain/access/linked-projects.ts';
import { evaluateQueued } from '../../shared/domain/checks/evaluate-queued.ts';
import { datahub, dbt, sqlmesh } from '../../shared/domain/ingest/tools.ts';
import { rewriteStep } from '../../shared/domain/operations/rewrite/rewrite-step.ts';
import { projectDelivery } from '../../shared/domain/projection/project-delivery.ts';
import { checkPorts } from '../../shared/runtime/composition/agent.ts';
import { httpPorts, ingestPorts } from '../../shared/runtime/composition/intake.ts';
import { diffPorts, queriesPorts } from '../../shared/runtime/composition/queries.ts';
import { rewritePorts } from '../../shared/runtime/composition/rewrite.ts';
import { projectorPorts } from '../../shared/runtime/composition/workers.ts';
import { responder } from '../../shared/runtime/http.ts';
import { request, startAccessWorld } from './access-world.ts';
import { drainQueue } from './intake-ports.ts';

type Parts = NonNullable<Parameters<typeof request>[2]>;

/**
 * The routes that take lineage in and those that answer questions about it, over stores of their own.
 *
 * @param bundled works a message of the projection queue in the place of the worker's own code
 */
export async function startLineageWorld(bundled?: (message: unknown) => Promise<unknown>) {
  const world = await startAccessWorld();
  const [intake, serve, worker, checks] = [ingestPorts(), queriesPorts(), projectorPorts(), checkPorts()];
  const rewrite = rewritePorts();
  const take = responder(
    intakeRoutes,
    {
      postOpenLineageEvent: openLineage(intake, 'openlineage_event'),
      postOpenLineageBatch: openLineage(intake, 'openlineage_batch'),
      postDatahubExport: declared(intake, datahub),
      postSqlmeshProject: declared(intake, sqlmesh),
      postDbtManifest: declared(intake, dbt),
    },
    httpPorts(),
  );
  const answer = responder(
    { ...impactRoutes, ...relationRoutes, ...diffRoutes },
    { ...impactImplementations(serve), ...relationImplementations(serve), ...diffImplementations(diffPorts()) },
    httpPorts(),
  );
  let made = 0;

  /** Works what the queue holds, as the worker does. */
  async function settle(): Promise<void> {
    for (let messages = await drainQueue(); messages.length > 0; messages = await drainQueue()) {
      for (const message of messages) {
        const parsed = v.parse(ProjectionMessage, message);
        if (bundled) await bundled(message);
        else if ('delivery_id' in parsed) await projectDelivery(worker, parsed, { receiveCount: 1 });
        else if (parsed.kind === 'evaluate_check') await evaluateQueued(checks, parsed);
        else if (parsed.kind === 'rewrite_names') await rewriteStep(rewrite, parsed);
      }
    }
  }

  return {
    ...world,
    settle,
    /** A workspace with a postgres connector, the linked project `crm`, and tokens of each role. */
    place: async (settings: { readonly namespaces?: string[] } = {}) => {
      const name = `lineage-${made++}`;
      const workspace = (await world.workspace(name)).id;
      const { namespaces = [`postgres://${name}:5432`] } = settings;
      const { record } = await createConnector(world.operator, workspace, {
        name: 'warehouse',
        kind: 'postgres',
        namespaces,
        default_database: 'crm',
        default_schema: 'core',
      });
      await linkProject(world.operator, workspace, 'crm');
      const sign = (role: string) => world.issuer.sign(`${name}-${role}`);
      const tokens = { viewer: await sign('viewer'), editor: await sign('editor'), admin: await sign('admin') };
      const ask = async (
        path: string,
        query: Readonly<Record<string, string | readonly string[]>>,
        parts: Parts = {},
      ) => {
        const all = { token: tokens.viewer, query: { workspace_id: workspace, connector_id: record.id, ...query } };
        const { status, body } = await answer(request('GET', path, { ...all, ...parts } as Parts));
        return { status, json: JSON.parse(String(body)) };
      };
      const post = async (path: string, body: object, parts: Parts = {}) => {
        const named = { workspace_id: workspace, connector_id: record.id, ...body };
        const { status, body: answered } = await answer(
          request('POST', path, { token: tokens.viewer, body: named, ...parts }),
        );
        return { status, json: JSON.parse(String(answered)) };
      };
      const sent = async (path: string, parts: Parts) => {
        const { status, body } = await take(request('POST', path, { token: tokens.editor, ...parts }));
        await settle();
        return { status, json: JSON.parse(String(body)) };
      };
      return {
        workspace,
        connector: record,
        namespace: namespaces[0] ?? '',
        tokens,
        ask,
        post,
        /** Takes in a request as it stands, and works it. */
        deliver: sent,
        /** Takes in a body that names its workspace and connector, and works it. */
        declare: (path: string, body: object) =>
          sent(path, { body: { workspace_id: workspace, connector_id: record.id, ...body } }),
        /** Takes in OpenLineage events, and works them. */
        emit: (body: object) =>
          sent(`/api/v1/lineage${Array.isArray(body) ? '/batch' : ''}`, {
            body,
            query: { workspace_id: workspace, connector_id: record.id },
          }),
      };
    },
  };
}

export type LineageWorld = Awaited<ReturnType<typeof startLineageWorld>>;
export type LineagePlace = Awaited<ReturnType<LineageWorld['place']>>;
