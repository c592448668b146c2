import { dynamodb, s3, sqs } from '../../shared/adapters/aws.ts';
import { deliveryStore } from '../../shared/adapters/dynamodb/deliveries.ts';
import { backlogReader } from '../../shared/adapters/dynamodb/due-deliveries.ts';
import { gapStore } from '../../shared/adapters/dynamodb/gaps.ts';
import { metered, metering } from '../../shared/adapters/dynamodb/metered.ts';
import { policiesOf } from '../../shared/adapters/dynamodb/policies.ts';
import { providerStore } from '../../shared/adapters/dynamodb/providers.ts';
import { registry } from '../../shared/adapters/dynamodb/registry.ts';
import { newKnownRelations, relationDirectory } from '../../shared/adapters/dynamodb/relation-directory.ts';
import { graphReaders } from '../../shared/adapters/graph-readers.ts';
import { payloadStore } from '../../shared/adapters/s3/raw.ts';
import { projectionQueue } from '../../shared/adapters/sqs/projection.ts';
import { connectorFinder } from '../../shared/domain/access/find-connector.ts';
import { environment } from '../../shared/runtime/environment.ts';
import type { DeliveryPorts } from './deliveries.ts';
import type { GapPorts } from './gaps.ts';
import type { ServeImpactPorts } from './impact.ts';
import type { ProviderPorts } from './providers.ts';

/** What reads work with in a deployed function. */
export function servePorts(): DeliveryPorts & ProviderPorts & GapPorts & ServeImpactPorts {
  const { TABLE_NAME, RAW_BUCKET, PROJECTION_QUEUE_URL } = environment(
    'TABLE_NAME',
    'RAW_BUCKET',
    'PROJECTION_QUEUE_URL',
  );
  const table = { client: metered(dynamodb()), name: TABLE_NAME };
  const bucket = { client: s3(), name: RAW_BUCKET };
  const known = registry(table);
  return {
    deliveries: deliveryStore(table),
    payloads: payloadStore({ client: s3(), bucket: RAW_BUCKET }),
    queue: projectionQueue({ client: sqs(), url: PROJECTION_QUEUE_URL }),
    connector: connectorFinder(known),
    providers: providerStore(table),
    backlog: backlogReader(table),
    gaps: gapStore(table),
    ...graphReaders(table, bucket),
    metering,
    directory: relationDirectory(table, newKnownRelations()),
    connectorsOf: (workspace) => known.connectors.list(workspace),
    policiesOf: (workspace, connectors) => policiesOf(table, workspace, connectors),
  };
}
