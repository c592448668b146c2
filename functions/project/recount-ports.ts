import { LRUCache } from 'lru-cache';
import { dynamodb, s3, sqs } from '../../shared/adapters/aws.ts';
import { detailStore } from '../../shared/adapters/dynamodb/graph/edge-details.ts';
import { pageReader } from '../../shared/adapters/dynamodb/graph/page-reader.ts';
import { policiesOf } from '../../shared/adapters/dynamodb/policies.ts';
import { recountStore } from '../../shared/adapters/dynamodb/recounts.ts';
import { registry } from '../../shared/adapters/dynamodb/registry.ts';
import { scopeStore } from '../../shared/adapters/dynamodb/scope-heads.ts';
import { listingStore } from '../../shared/adapters/s3/listings.ts';
import { projectionQueue } from '../../shared/adapters/sqs/projection.ts';
import type { ScopeIdentity } from '../../shared/domain/graph/ports.ts';
import type { RecountPorts } from '../../shared/domain/policy/recount-step.ts';
import { environment } from '../../shared/runtime/environment.ts';

/** Identities of observed scopes that a process keeps: they never change. */
const scopesKept = 50_000;

/** What recounts work with in a deployed function. */
export function recountPorts(): RecountPorts {
  const { TABLE_NAME, RAW_BUCKET, PROJECTION_QUEUE_URL } = environment(
    'TABLE_NAME',
    'RAW_BUCKET',
    'PROJECTION_QUEUE_URL',
  );
  const table = { client: dynamodb(), name: TABLE_NAME };
  return {
    pages: pageReader(table),
    scopes: scopeStore(table, listingStore({ client: s3(), name: RAW_BUCKET })),
    knownScopes: new LRUCache<string, ScopeIdentity>({ max: scopesKept }),
    details: detailStore(table),
    recounts: recountStore(table),
    queue: projectionQueue({ client: sqs(), url: PROJECTION_QUEUE_URL }),
    connectors: (workspace) => registry(table).connectors.list(workspace),
    policiesOf: (workspace, connectors) => policiesOf(table, workspace, connectors),
    time: { now: () => new Date() },
  };
}
