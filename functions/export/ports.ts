import { dynamodb, s3 } from '../../shared/adapters/aws.ts';
import { deliveryStore } from '../../shared/adapters/dynamodb/deliveries.ts';
import { policiesOf } from '../../shared/adapters/dynamodb/policies.ts';
import { registry } from '../../shared/adapters/dynamodb/registry.ts';
import { signingSecret } from '../../shared/adapters/dynamodb/signing-secret.ts';
import { graphReaders } from '../../shared/adapters/graph-readers.ts';
import { payloadStore } from '../../shared/adapters/s3/raw.ts';
import { environment } from '../../shared/runtime/environment.ts';
import type { ServeExportPorts } from './export.ts';
import type { ServePayloadPorts } from './payload.ts';

/** What the export works with in a deployed function. */
export function exportPorts(): ServeExportPorts & ServePayloadPorts {
  const { TABLE_NAME, RAW_BUCKET } = environment('TABLE_NAME', 'RAW_BUCKET');
  const table = { client: dynamodb(), name: TABLE_NAME };
  return {
    deliveries: deliveryStore(table),
    payloads: payloadStore({ client: s3(), bucket: RAW_BUCKET }),
    ...graphReaders(table, { client: s3(), name: RAW_BUCKET }),
    connectorsOf: (workspace) => registry(table).connectors.list(workspace),
    policiesOf: (workspace, connectors) => policiesOf(table, workspace, connectors),
    signingSecret: signingSecret(table),
  };
}
