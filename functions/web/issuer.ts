import * as v from 'valibot';
import type { PageIssuer } from '../../shared/contract/pages.ts';
import { onceSuccessful } from '../../shared/domain/once.ts';

const url = v.pipe(v.string(), v.url());
const Discovered = v.object({
  issuer: v.string(),
  authorization_endpoint: url,
  token_endpoint: url,
  id_token_signing_alg_values_supported: v.optional(v.array(v.string())),
  revocation_endpoint: v.optional(url),
  end_session_endpoint: v.optional(url),
});

const timeoutMs = 3_000;

/** Finds out where an issuer signs people in; asks once, and again after a failure, which answers null. */
export function issuerFinder(discoveryUrl: string): () => Promise<PageIssuer | null> {
  const find = onceSuccessful(() => discovered(discoveryUrl));
  return () => find().catch(() => null);
}

async function discovered(discoveryUrl: string): Promise<PageIssuer> {
  const response = await fetch(discoveryUrl, { signal: AbortSignal.timeout(timeoutMs) });
  return v.parse(Discovered, await response.json());
}
