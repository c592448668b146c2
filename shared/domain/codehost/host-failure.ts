/** Why the code host was not asked, or did not answer; each is a sentence for people, and holds nothing of a secret. */
const hostFailures = {
  private_key_unreadable: 'The private key is no RSA key in PEM.',
  app_refused: 'The host does not know the app by this key.',
  address_refused: 'The address of the host is not public, and the deployment does not allow it by name.',
  unreachable: 'The host could not be reached.',
  rate_limited: 'The host asks to wait.',
  not_allowed: 'The host refuses this to the app: it lacks a permission, or is suspended.',
  not_found: 'The host has no such thing, or does not show it to the app.',
  too_large: 'The answer of the host is larger than is read.',
  not_taken: 'The host does not take the request.',
  failed: 'The host failed.',
} as const;
export type HostFailureReason = keyof typeof hostFailures;

/** An answer of the code host that is none, or none that was hoped for. */
export class HostFailure extends Error {
  override readonly name = 'HostFailure';
  readonly reason: HostFailureReason;
  /** When it may be asked again, where it says so. */
  readonly retryAfterSeconds: number | null;

  constructor(reason: HostFailureReason, options: ErrorOptions & { readonly retryAfterSeconds?: number | null } = {}) {
    super(hostFailures[reason], options);
    this.reason = reason;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}
