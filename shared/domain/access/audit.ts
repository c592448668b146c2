import type { UserId, WorkspaceId } from '../../contract/ids.ts';
import type { Clock } from '../time/clock.ts';
import type { AuditEntry } from './records.ts';

/** The user in whose name a workspace's records are written. */
export type Author = { readonly workspace: WorkspaceId; readonly userId: UserId };

/** What an audit entry says was done, and to what; never a secret. */
export type AuditAction = Pick<AuditEntry, 'workspace_id' | 'action' | 'subject'>;

type IdPorts = { readonly randomBytes: (count: number) => Uint8Array };
type AuditPorts = IdPorts & { readonly clock: Clock };

/** 96 random bits in base64url, 16 characters. */
export const randomId = ({ randomBytes }: IdPorts): string => Buffer.from(randomBytes(12)).toString('base64url');

/** An entry for what an actor does now. */
export const auditEntry = (ports: AuditPorts, actor: string, action: AuditAction): AuditEntry => ({
  ...action,
  id: randomId(ports),
  at: ports.clock.now().toISOString(),
  actor,
});
