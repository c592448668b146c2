import type { ConnectorId, WorkspaceId } from '../../shared/contract/ids.ts';
import { acceptOpenLineage } from '../../shared/domain/lineage/ingest/accept-openlineage.ts';
import { projectDelivery } from '../../shared/domain/lineage/projection/project-content.ts';
import type { ImpactQuestion } from '../../shared/domain/lineage/queries/impact/answer.ts';

type Place = { readonly workspace: WorkspaceId; readonly connector: ConnectorId };
type Receipt = Awaited<ReturnType<typeof acceptOpenLineage>>;
type IntakePorts = Parameters<typeof acceptOpenLineage>[0];
type WorkerPorts = Parameters<typeof projectDelivery>[0];

/** Accepts one event or an array of them, as JSON and without a key, as the ingest function does. */
export function acceptEvents(ports: IntakePorts, { workspace, connector }: Place, bytes: Uint8Array): Promise<Receipt> {
  return acceptOpenLineage(ports, {
    workspace,
    kind: bytes[0] === arrayStart ? 'openlineage_batch' : 'openlineage_event',
    connectorId: connector,
    providerKey: null,
    idempotencyKey: null,
    payload: { bytes, contentType: 'application/json', contentEncoding: null },
  });
}

const arrayStart = '['.charCodeAt(0);

/** Works what was accepted, as the projector does when its message comes for the first time. */
export function projectAccepted(ports: WorkerPorts, workspace: WorkspaceId, { delivery_id }: Receipt) {
  const message = { version: 1, workspace_id: workspace, delivery_id } as Parameters<typeof projectDelivery>[1];
  return projectDelivery(ports, message, { receiveCount: 1 });
}

/** The impact of a table of `runEvents`, three steps deep. */
export const impactQuestion = ({ workspace, connector }: Place, job: number): ImpactQuestion => ({
  workspace,
  connectorId: connector,
  relationRef: `db.public.ds_${job}_0`,
  columns: [],
  direction: 'both',
  maxDepth: 3,
  maxNodes: 200,
  asOf: null,
  includeStale: false,
  minConfidence: 0,
});
