import * as v from 'valibot';
import { ConnectorId, type WorkspaceId } from '../../contract/ids.ts';
import { type Connector, connectorDefaults } from '../identity/connector.ts';
import { ConnectorSettings, NewConnector } from './inputs.ts';
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
    make: () => {
      const record: Connector = { ...defaults(), ...settings, id, workspace_id, kind, name };
      const auditAction = { workspace_id, action: 'connector.create', subject: { id, name, kind } };
      return { record, writes: [connectors.create(record)], auditAction };
    },
  });
}

const defaults = () => ({ ...connectorDefaults, namespaces: [], datahub_platform_instances: [] });

/** Changes the settings that are given. Kind and name stay: the identities of relations hang on them. */
export function updateConnector(
  ports: OperatorPorts,
  workspace_id: WorkspaceId,
  id: ConnectorId,
  input: ConnectorSettings,
): Promise<Connector> {
  const settings = requireValid(ConnectorSettings, input);
  const { connectors } = ports.registry;
  return updateRecord(ports, {
    find: () => connectors.find({ workspace_id, id }),
    next: (found) => {
      if (Object.keys(settings).length === 0) return null;
      const record: Connector = { ...found.record, ...settings };
      const auditAction = { workspace_id, action: 'connector.update', subject: { id, ...settings } };
      return { record, writes: [connectors.replace(found, record)], auditAction };
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
