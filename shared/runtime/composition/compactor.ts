import { eventLedger } from '../../adapters/dynamodb/events/event-ledger.ts';
import { lakeLease } from '../../adapters/dynamodb/registry/rate-buckets.ts';
import { allWorkspaces, collectionProjectsOf } from '../../adapters/dynamodb/registry/registry-readers.ts';
import { compactedLake, eventLake, expiringObjects } from '../../adapters/s3/event-lake.ts';
import type { Lease } from '../../domain/base/concurrency.ts';
import type { CompactPorts } from '../../domain/events/compact/compact-lake.ts';
import type { ExpireEventsPorts } from '../../domain/events/expire-events.ts';
import { environment } from '../environment.ts';
import { logger } from '../logger.ts';
import { describeError } from '../problem-reply.ts';
import { eventTable, lakeBucket, table } from './stores.ts';

export type CompactorPorts = CompactPorts & ExpireEventsPorts & { readonly leaseOf: (holder: string) => Lease };

export function compactorPorts(): CompactorPorts {
  const bucket = lakeBucket();
  const records = table();
  const { staged, publish, unstage } = eventLake(bucket);
  return {
    ...expiringObjects(bucket),
    workspaces: () => allWorkspaces(records),
    projects: (workspace) => collectionProjectsOf(records, workspace),
    ledger: { settleRun: eventLedger(eventTable(), environment('EVENTS_DEDUP_DAYS')).settleRun },
    lake: { ...compactedLake(bucket), staged, publish, unstage },
    leaseOf: (holder) => lakeLease(eventTable(), holder),
    onPartitionFailed: (partition, error) =>
      logger.error('partition not compacted', { partition, error: describeError(error) }),
  };
}
