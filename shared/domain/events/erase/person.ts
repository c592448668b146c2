import { sha256 } from '../../base/digest.ts';

/** A person as events name them: after sign-in by `user_id`, before it by `anonymous_id` only. */
export type Person = {
  readonly column: 'user_id' | 'anonymous_id';
  readonly id: string;
  /** The anonymous ids of a user, whose events without a user are theirs too. */
  readonly linked?: ReadonlySet<string>;
};

/** A person in the audit: by a digest of the id. */
export function subjectOf({ column, id }: Person): Readonly<Record<string, string>> {
  const hex = sha256(id).toString('hex');
  return column === 'user_id' ? { user_sha256: hex } : { anonymous_sha256: hex };
}
