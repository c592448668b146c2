import type { Connector } from '../identity/connector.ts';
import type { Delivery } from '../ingest/deliveries/delivery.ts';
import type { DeliveryOutcome } from '../ingest/deliveries/finish-delivery.ts';
import { gathered } from '../json/gather.ts';
import { type DeclaredProjectionPorts, projectDeclared } from './project-declared.ts';
import { type OpenLineagePorts, projectOpenLineage } from './project-openlineage.ts';

export type ContentPorts = OpenLineagePorts & Pick<DeclaredProjectionPorts, 'sqlParser' | 'say' | 'forgotten'>;

/** Works the content of a delivery into the graph; may be repeated, for every write of the graph is commutative. */
export async function projectContent(
  ports: ContentPorts,
  delivery: Delivery,
  payload: AsyncIterable<Uint8Array>,
  connectors: readonly Connector[],
): Promise<DeliveryOutcome> {
  switch (delivery.kind) {
    case 'openlineage_event':
    case 'openlineage_batch':
      return projectOpenLineage(ports, delivery, await gathered(payload), connectors);
    case 'dbt_manifest':
    case 'sqlmesh_project':
    case 'datahub_catalog':
      return projectDeclared(ports, { ...delivery, kind: delivery.kind }, payload, connectors);
  }
}
