import { dynamodb, s3 } from '../../shared/adapters/aws.ts';
import { deliveryStore } from '../../shared/adapters/dynamodb/deliveries.ts';
import { metered, metering } from '../../shared/adapters/dynamodb/metered.ts';
import { policiesOf } from '../../shared/adapters/dynamodb/policies.ts';
import { registry } from '../../shared/adapters/dynamodb/registry.ts';
import { newKnownRelations, relationDirectory } from '../../shared/adapters/dynamodb/relation-directory.ts';
import { graphReaders } from '../../shared/adapters/graph-readers.ts';
import { payloadStore } from '../../shared/adapters/s3/raw.ts';
import { loadSqlParser } from '../../shared/adapters/sql-parser.ts';
import { environment } from '../../shared/runtime/environment.ts';
import type { ServeDiffPorts } from './diff.ts';

/** What comparisons work with in a deployed function. */
export function diffPorts(): ServeDiffPorts {
  const { TABLE_NAME, RAW_BUCKET } = environment('TABLE_NAME', 'RAW_BUCKET');
  const table = { client: metered(dynamodb()), name: TABLE_NAME };
  return {
    ...graphReaders(table, { client: s3(), name: RAW_BUCKET }),
    directory: relationDirectory(table, newKnownRelations()),
    connectorsOf: (workspace) => registry(table).connectors.list(workspace),
    policiesOf: (workspace, connectors) => policiesOf(table, workspace, connectors),
    deliveries: deliveryStore(table),
    payloads: payloadStore({ client: s3(), bucket: RAW_BUCKET }),
    sqlParser: loadSqlParser,
    metering,
  };
}
