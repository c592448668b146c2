import type { TokenScope } from '../../shared/contract/vocabulary.ts';

/** Who signed in, with which token, until when. */
export type SignedIn = {
  readonly user: string;
  readonly token: string;
  readonly workspace: string | undefined;
  readonly expires_at: string | undefined;
  readonly warnings: readonly string[];
};

/** What a token is wanted for. */
export type Wanted = {
  readonly scopes: readonly TokenScope[];
  /** A workspace by id or name. */
  readonly asked: string | undefined;
  /** That of the profile as it was; it may be of another service. */
  readonly remembered: string | undefined;
};
