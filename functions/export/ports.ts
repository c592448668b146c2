import { LRUCache } from 'lru-cache';
import { dynamodb, s3 } from '../../shared/adapters/aws.ts';
import { deliveryStore } from '../../shared/adapters/dynamodb/deliveries.ts';
import { detailStore } from '../../shared/adapters/dynamodb/graph/edge-details.ts';
import { pageReader } from '../../shared/adapters/dynamodb/graph/page-reader.ts';
import { policiesOf } from '../../shared/adapters/dynamodb/policies.ts';
import { registry } from '../../shared/adapters/dynamodb/registry.ts';
import { scopeStore } from '../../shared/adapters/dynamodb/scope-heads.ts';
import { signingSecret } from '../../shared/adapters/dynamodb/signing-secret.ts';
import { listingStore } from '../../shared/adapters/s3/listings.ts';
import { payloadStore } from '../../shared/adapters/s3/raw.ts';
import type { ScopeIdentity } from '../../shared/domain/graph/ports.ts';
import { environment } from '../../shared/runtime/environment.ts';
import type { ServeExportPorts } from './export.ts';
import type { ServePayloadPorts } from './payload.ts';

const scopesKept = 50_000;

/** What the export works with in a deployed function. */
export function exportPorts(): ServeExportPorts & ServePayloadPorts {
  const { TABLE_NAME, RAW_BUCKET } = environment('TABLE_NAME', 'RAW_BUCKET');
  const table = { client: dynamodb(), name: TABLE_NAME };
  return {
    deliveries: deliveryStore(table),
    payloads: payloadStore({ client: s3(), bucket: RAW_BUCKET }),
    pages: pageReader(table),
    scopes: scopeStore(table, listingStore({ client: s3(), name: RAW_BUCKET })),
    knownScopes: new LRUCache<string, ScopeIdentity>({ max: scopesKept }),
    details: detailStore(table),
    connectorsOf: (workspace) => registry(table).connectors.list(workspace),
    policiesOf: (workspace, connectors) => policiesOf(table, workspace, connectors),
    signingSecret: signingSecret(table),
  };
}
