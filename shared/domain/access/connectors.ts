import * as v from 'valibot';
import { ConnectorId, type WorkspaceId } from '../../contract/ids.ts';
import { type Connector, connectorDefaults } from '../identity/connector.ts';
import { ConnectorChanges, NewConnector } from './inputs.ts';
import { nameChange } from './name-change.ts';
import {
  type CreatedOrFound,
  createOrFind,
  idFromName,
  type OperatorPorts,
  removeRecord,
  requireValid,
  requireWorkspace,
  updateRecord,
} from './operator.ts';

/** Makes a connector, or finds the one of that name; `updateConnector` changes its settings. */
export async function createConnector(
  ports: OperatorPorts,
  workspace_id: WorkspaceId,
  input: v.InferInput<typeof NewConnector>,
): Promise<CreatedOrFound<Connector>> {
  const { name, kind, ...settings } = requireValid(NewConnector, input);
  await requireWorkspace(ports, workspace_id);
  const id = v.parse(ConnectorId, idFromName('con', workspace_id, name));
  const { connectors } = ports.registry;
  return createOrFind(ports, {
    find: () => connectors.find({ workspace_id, id }),
    make: async () => {
      const record: Connector = { ...defaults(), ...settings, id, workspace_id, kind, name };
      const names = await nameChange(ports.registry, { before: null, after: record, now: ports.clock.now() });
      const auditAction = { workspace_id, action: 'connector.create', subject: { id, name, kind } };
      return { record, writes: [connectors.create(record), ...names], auditAction };
    },
  });
}

const defaults = () => ({ ...connectorDefaults, namespaces: [], datahub_platform_instances: [] });

/** Changes the settings that are given; what was stated before is then named by them too. The name stays: the id follows from it. */
export function updateConnector(
  ports: OperatorPorts,
  workspace_id: WorkspaceId,
  id: ConnectorId,
  input: ConnectorChanges,
): Promise<Connector> {
  const settings = requireValid(ConnectorChanges, input);
  const { connectors } = ports.registry;
  return updateRecord(ports, {
    find: () => connectors.find({ workspace_id, id }),
    next: async (found) => {
      if (Object.keys(settings).length === 0) return null;
      const record: Connector = { ...found.record, ...settings };
      const change = { before: found.record, after: record, now: ports.clock.now() };
      const auditAction = { workspace_id, action: 'connector.update', subject: { id, ...settings } };
      const names = await nameChange(ports.registry, change);
      return { record, writes: [connectors.replace(found, record), ...names], auditAction };
    },
  });
}

/** Removes a connector. Its lineage stays, and is found again where one of that name is made again. */
export async function removeConnector(
  ports: OperatorPorts,
  workspace_id: WorkspaceId,
  id: ConnectorId,
): Promise<boolean> {
  const { connectors } = ports.registry;
  const auditAction = { workspace_id, action: 'connector.remove', subject: { id } };
  return removeRecord(
    ports,
    await connectors.find({ workspace_id, id }),
    (record) => [connectors.remove(record)],
    auditAction,
  );
}
