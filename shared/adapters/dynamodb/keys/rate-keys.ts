import type { WorkspaceId } from '../../../contract/ids.ts';
import type { Key } from './key.ts';

/** The bucket of a project key, by its hash, in the ledger: who collects may update that table alone. */
export const projectKeyRateKey = (hash: string) => ({ pk: `Q#${hash}` });

/** The bucket of all requests of a workspace. */
export const workspaceRateKey = (workspace: WorkspaceId): Key => ({ pk: `W#${workspace}#Q`, sk: 'REQUESTS' });
