import { ConnectorId, idOrNull, type WorkspaceId } from '../../contract/ids.ts';
import { Problem } from '../../contract/problems.ts';
import type { Connector } from '../identity/connector.ts';
import type { IntakePorts } from './ports.ts';

/** The connector of an ingestion. Throws `validation_error` at its place where the workspace has none of that id. */
export async function requireConnector(
  ports: Pick<IntakePorts, 'connectors'>,
  workspace: WorkspaceId,
  text: string,
  path: string,
): Promise<Connector> {
  const id = idOrNull(ConnectorId, text);
  const connector = id && (await ports.connectors.get(workspace, id));
  if (connector) return connector;
  throw unknownConnector(path);
}

export const unknownConnector = (path: string): Problem =>
  new Problem('validation_error', { errors: [{ path, message: 'must be the id of a connector of the workspace' }] });
