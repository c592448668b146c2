import type { WorkspaceId } from '../../contract/ids.ts';
import { type FieldError, Problem } from '../../contract/problems.ts';
import type { Connector } from '../identity/connector.ts';
import { otherPlatforms } from '../identity/platform-family.ts';
import { snapshotProblem } from '../sources/other-file.ts';
import type { AcquisitionBody, AcquisitionCounts, AcquisitionScope, AcquisitionTool } from './acquisition.ts';
import type { Payload } from './open-delivery.ts';
import type { DeclaredIntakePorts } from './ports.ts';

export type DeclaredRequest<Body> = {
  readonly workspace: WorkspaceId;
  /** With as much of the document as is read. */
  readonly body: Body;
  /** Of the whole document. */
  readonly documentDigest: string;
  readonly idempotencyKey: string | null;
  readonly payload: Payload;
  /** By which the delivery is found in logs. */
  readonly requestId?: string;
};

/** Throws `not_found`. */
export async function checkLinkedProject(
  { linkedProjects }: DeclaredIntakePorts,
  workspace: WorkspaceId,
  project: string | null,
): Promise<void> {
  if (project === null || (await linkedProjects.has(workspace, project))) return;
  throw new Problem('not_found', {
    errors: [{ path: '/project_id', message: 'must be a linked project of the workspace' }],
  });
}

/**
 * A document that is of another platform than its connector would name relations that nobody has (C-DECLARED-18).
 * Throws `lineage_connector_mismatch`, which names both.
 */
export function checkPlatform<Body extends AcquisitionBody>(
  { platforms, displayName }: Pick<AcquisitionTool<Body, unknown>, 'platforms' | 'displayName'>,
  { kind }: Connector,
  body: Body,
): void {
  const others = body.force ? null : otherPlatforms(kind, platforms(body));
  if (others === null) return;
  const told = others.join(', ');
  throw new Problem('lineage_connector_mismatch', {
    message: `The ${displayName} is of ${told}, and the connector is of kind ${kind}.`,
    errors: [{ path: '/connector_id', message: `must be a connector of kind ${told}` }],
    hint: `Send it to a connector of kind ${told}. If this one is meant, send it with "force": true (--force).`,
  });
}

/** A complete snapshot retracts what it leaves out: its scope, its key and every item must be certain. */
export function checkSnapshot<Body extends AcquisitionBody>(
  { body, idempotencyKey }: DeclaredRequest<Body>,
  scope: AcquisitionScope,
  { shapeErrors, otherFile = null }: AcquisitionCounts<unknown>,
): void {
  if (body.completeness !== 'complete') return;
  const errors: FieldError[] = [];
  if (!scope.given) errors.push({ path: scope.path, message: 'is required for a complete snapshot' });
  if (idempotencyKey === null && body.source_event_key === undefined) {
    errors.push({ path: '/source_event_key', message: 'or an Idempotency-Key is required for a complete snapshot' });
  }
  errors.push(...shapeErrors.slice(0, listedErrors));
  const problem = snapshotProblem(otherFile, errors);
  if (problem !== null) throw problem;
}

const listedErrors = 100;

/** The key that the body and the header give it; null where neither does. */
export function keyOf<Body extends AcquisitionBody>({ body, idempotencyKey }: DeclaredRequest<Body>): string | null {
  const field = body.source_event_key ?? null;
  if (field !== null && idempotencyKey !== null && field !== idempotencyKey) {
    throw new Problem('lineage_idempotency_conflict', {
      errors: [{ path: '/source_event_key', message: 'must be equal to the Idempotency-Key header' }],
    });
  }
  return idempotencyKey ?? field;
}
