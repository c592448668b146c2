import * as v from 'valibot';
import { ConnectorId, idOrNull, type WorkspaceId } from '../../../contract/ids.ts';
import { Problem } from '../../../contract/problems.ts';
import {
  beginRewrite,
  type GraphRecord,
  namesAffected,
  namingOf,
  newGraphRecord,
} from '../../lineage/generations/graph-record.ts';
import { type Connector, connectorDefaults } from '../../lineage/names/connector.ts';
import { ConnectorChanges, NewConnector } from './inputs.ts';
import {
  type CreatedOrFound,
  createOrFind,
  idFromName,
  type Operator,
  removeRecord,
  requireValid,
  requireWorkspace,
  updateRecord,
} from './operator.ts';
import type { Registry, Write } from './records.ts';

export async function createConnector(
  ports: Operator,
  workspace_id: WorkspaceId,
  input: v.InferInput<typeof NewConnector>,
): Promise<CreatedOrFound<Connector>> {
  const { name, kind, ...settings } = requireValid(NewConnector, input);
  await requireWorkspace(ports, workspace_id);
  const id = v.parse(ConnectorId, idFromName('con', workspace_id, name));
  const { connectors } = ports.registry;
  return createOrFind(ports, connectors, { workspace_id, id }, async () => {
    const record: Connector = { ...defaults(), ...settings, id, workspace_id, kind, name };
    const also = await nameChange(ports.registry, { before: null, after: record, now: ports.clock.now() });
    return { record, also, auditAction: { workspace_id, action: 'connector.create', subject: { id, name, kind } } };
  });
}

const defaults = () => ({
  ...connectorDefaults,
  parts: 'whole' as const,
  namespaces: [],
  datahub_platform_instances: [],
});

/** Changes the settings that are given; what was stated before is then named by them too. The name stays: the id follows from it. */
export function updateConnector(
  ports: Operator,
  workspace_id: WorkspaceId,
  id: ConnectorId,
  input: ConnectorChanges,
): Promise<Connector> {
  const settings = requireValid(ConnectorChanges, input);
  const { connectors } = ports.registry;
  return updateRecord(ports, connectors, { workspace_id, id }, async (before) => {
    if (Object.keys(settings).length === 0) return null;
    const record: Connector = { ...before, ...settings };
    const also = await nameChange(ports.registry, { before, after: record, now: ports.clock.now() });
    return { record, also, auditAction: { workspace_id, action: 'connector.update', subject: { id, ...settings } } };
  });
}

/** Removes a connector. Its lineage stays, and is found again where one of that name is made again. */
export function removeConnector(ports: Operator, workspace_id: WorkspaceId, id: ConnectorId): Promise<boolean> {
  const auditAction = { workspace_id, action: 'connector.remove', subject: { id } };
  return removeRecord(ports, ports.registry.connectors, { workspace_id, id }, auditAction);
}

type Connectors = { readonly connectors: Pick<Registry['connectors'], 'find'> };

/** The connector that a request names; null if the workspace has none of that id. */
export async function findConnector(
  { connectors }: Connectors,
  workspace: WorkspaceId,
  text: string,
): Promise<Connector | null> {
  const id = idOrNull(ConnectorId, text);
  const found = id && (await connectors.find({ workspace_id: workspace, id }));
  return found?.record ?? null;
}

/** The id of a connector that a read names. Throws `not_found` where the workspace has none of that id. */
export type ConnectorFinder = (workspace: WorkspaceId, text: string) => Promise<ConnectorId>;

export const connectorFinder =
  (registry: Connectors): ConnectorFinder =>
  async (workspace, text) => {
    const found = await findConnector(registry, workspace, text);
    if (!found) throw new Problem('not_found');
    return found.id;
  };

/** A transaction accepts a hundred writes. The change itself needs some of them. */
const mostNamesChecked = 90;

/** Nothing more if no delivery used its names; else a graph with the new names is made beside (C-IDENTITY-7). */
async function nameChange(
  { graphs, namesInUse }: Pick<Registry, 'graphs' | 'namesInUse'>,
  { before, after, now }: { readonly before: Connector | null; readonly after: Connector; readonly now: Date },
): Promise<readonly Write[]> {
  const names = namesAffected(before, after);
  if (names.length === 0) return [];
  const { workspace_id: workspace, id } = after;
  const found = await graphs.find({ workspace_id: workspace });
  const record = found?.record ?? newGraphRecord(workspace);
  const changed = { ...record, changes: record.changes + 1 };
  const put = (to: GraphRecord) => (found ? graphs.replace(found, to) : graphs.create(to));
  const isUsed = id in record.held || names.length > mostNamesChecked || (await namesInUse.any(workspace, names));
  if (!isUsed)
    return [
      put(record.rewrite ? { ...changed, due_at: now.toISOString() } : changed),
      ...namesInUse.none(workspace, names),
    ];
  const held = id in record.held ? record.held : { ...record.held, [id]: before && namingOf(before) };
  return [put(beginRewrite({ ...changed, held }, now))];
}
