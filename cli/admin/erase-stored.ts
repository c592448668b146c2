import { lakeLease } from '../../shared/adapters/dynamodb/registry/rate-buckets.ts';
import { erasableObjects } from '../../shared/adapters/s3/stored-events.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import { eraseWithAudit, type Person } from '../../shared/domain/events/erase/erase-user.ts';
import { randomId } from '../../shared/domain/workspaces/access/records.ts';
import { waitUntilStored } from '../events/wait-until-stored.ts';
import type { AdminContext } from './open-registry.ts';

/** Removes a person's events that were accepted before the call; answers how many batches it could not wait for. */
export async function eraseStored({ ports, connection }: AdminContext, workspace: WorkspaceId, person: Person) {
  const { queued, deadLetters } = await waitUntilStored(connection, { forAll: false });
  const { s3, dynamodb, names } = connection;
  const erasing = {
    ...erasableObjects({ client: s3, name: names.lake_bucket }, workspace),
    clock: ports.clock,
    lease: lakeLease({ client: dynamodb, name: names.event_table }, `${ports.actor} ${randomId(ports)}`),
  };
  const erased = await eraseWithAudit({ ...ports, erasing }, workspace, person);
  return { ...erased, not_stored_yet: queued + deadLetters };
}
