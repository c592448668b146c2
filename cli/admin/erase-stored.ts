import { lakeLease } from '../../shared/adapters/dynamodb/lake-lease.ts';
import { erasableObjects } from '../../shared/adapters/s3/erasable-objects.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import { randomId } from '../../shared/domain/access/audit.ts';
import type { OperatorPorts } from '../../shared/domain/access/operator.ts';
import { eraseWithAudit } from '../../shared/domain/events/erase/audited-erasure.ts';
import type { Connection } from '../connect.ts';
import { waitUntilStored } from '../events/wait-until-stored.ts';

/** Removes a user's events that were accepted before the call; answers how many batches it could not wait for. */
export async function eraseStored(
  ports: OperatorPorts,
  connection: Connection,
  { workspace, user }: { readonly workspace: WorkspaceId; readonly user: string },
) {
  const { queued, deadLetters } = await waitUntilStored(connection, { forAll: false });
  const { s3, dynamodb, names } = connection;
  const erasing = {
    ...erasableObjects({ client: s3, name: names.lake_bucket }, workspace),
    clock: ports.clock,
    lease: lakeLease({ client: dynamodb, name: names.event_table }, `${ports.actor} ${randomId(ports)}`),
  };
  const erased = await eraseWithAudit({ ...ports, erasing }, workspace, user);
  return { ...erased, not_stored_yet: queued + deadLetters };
}
