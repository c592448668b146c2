import * as v from 'valibot';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { jsonDigest } from '../../base/digest.ts';

/** Digests of ids whose events are not stored. */
export type SuppressedIds = ReadonlySet<string>;

const digestLength = 22;

/** The digest of an id. The list has no ids. `linked` is an anonymous id of a user, who may share the device. */
export const suppressedId = (workspace: WorkspaceId, kind: 'user_id' | 'anonymous_id' | 'linked', id: string): string =>
  jsonDigest([workspace, kind, id.toWellFormed()]).toString('base64url').slice(0, digestLength);

const Row = v.object({ user_id: v.nullish(v.string()), anonymous_id: v.nullish(v.string()) });

/** Whether a stored line would be of a suppressed person (C-ERASE-5). */
export function isSuppressed(suppressed: SuppressedIds, workspace: WorkspaceId, line: string): boolean {
  const { user_id, anonymous_id } = v.parse(Row, JSON.parse(line));
  const has = (kind: Parameters<typeof suppressedId>[1], id: string) =>
    suppressed.has(suppressedId(workspace, kind, id));
  if (user_id && has('user_id', user_id)) return true;
  return !!anonymous_id && (has('anonymous_id', anonymous_id) || (!user_id && has('linked', anonymous_id)));
}
