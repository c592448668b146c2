import path from 'node:path';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as v from 'valibot';
import type { PageIssuer } from '../../shared/contract/pages.ts';
import { onceSuccessful } from '../../shared/domain/base/caching.ts';
import { proxyResult, readHttpEvent } from '../../shared/runtime/api-gateway.ts';
import { environment } from '../../shared/runtime/environment.ts';
import { instrumented } from '../../shared/runtime/instrumented.ts';
import { problemOf, problemReply } from '../../shared/runtime/problem-reply.ts';
import { requestIdOf } from '../../shared/runtime/request-id.ts';
import { answerPage, siteIn, type WebPorts } from './answer.ts';

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
function issuerFinder(discoveryUrl: string): () => Promise<PageIssuer | null> {
  const find = onceSuccessful(() => discovered(discoveryUrl));
  return () => find().catch(() => null);
}

async function discovered(discoveryUrl: string): Promise<PageIssuer> {
  const response = await fetch(discoveryUrl, { signal: AbortSignal.timeout(timeoutMs) });
  return v.parse(Discovered, await response.json());
}

const discoveryUrl = environment('OIDC_DISCOVERY_URL');
const clientId = environment('OIDC_AUDIENCE');
const tokenInFragment = environment('TOKEN_IN_FRAGMENT');

let ports: WebPorts | null = null;

/** Serves the explorer, and refuses every path that is nobody's. */
export const handler = instrumented(async (event: APIGatewayProxyEvent) => {
  const below = `/${event.pathParameters?.['proxy'] ?? ''}`;
  const request = { ...readHttpEvent(event), path: below };
  const requestId = requestIdOf(request.headers['x-request-id'], request.gatewayId);
  try {
    ports ??= webPorts();
    const { status, headers, body } = await answerPage(
      ports,
      request,
      `${new URL(request.base).pathname.replace(/\/$/, '')}/`,
    );
    return proxyResult({ status, headers: { ...headers, 'x-request-id': requestId }, body });
  } catch (error) {
    return proxyResult(problemReply(problemOf(error), requestId));
  }
});

const webPorts = (): WebPorts => ({
  site: siteIn(path.join(import.meta.dirname, 'site')),
  findIssuer: issuerFinder(discoveryUrl),
  clientId,
  tokenInFragment,
});
