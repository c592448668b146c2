import path from 'node:path';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { proxyResult, readHttpEvent } from '../../shared/runtime/api-gateway.ts';
import { environment } from '../../shared/runtime/environment.ts';
import { instrumented } from '../../shared/runtime/instrumented.ts';
import { problemOf, problemReply } from '../../shared/runtime/problem-reply.ts';
import { requestIdOf } from '../../shared/runtime/request-id.ts';
import { answerPage, type WebPorts } from './answer.ts';
import { issuerFinder } from './issuer.ts';
import { siteIn } from './site.ts';

const { OIDC_AUDIENCE, OIDC_DISCOVERY_URL, TOKEN_IN_FRAGMENT } = environment(
  'OIDC_AUDIENCE',
  'OIDC_DISCOVERY_URL',
  'TOKEN_IN_FRAGMENT',
);

let ports: WebPorts | null = null;

/** Serves the explorer, and refuses every path that is nobody's. */
export const handler = instrumented(async (event: APIGatewayProxyEvent) => {
  const below = `/${event.pathParameters?.['proxy'] ?? ''}`;
  const request = { ...readHttpEvent(event), path: below };
  const requestId = requestIdOf(request.headers['x-request-id'], request.gatewayId);
  try {
    ports ??= webPorts();
    const { status, headers, body } = await answerPage(ports, request, baseOf(event, below));
    return proxyResult({ status, headers: { ...headers, 'x-request-id': requestId }, body });
  } catch (error) {
    return proxyResult(problemReply(problemOf(error), requestId));
  }
});

const webPorts = (): WebPorts => ({
  site: siteIn(path.join(import.meta.dirname, 'site')),
  findIssuer: issuerFinder(OIDC_DISCOVERY_URL),
  clientId: OIDC_AUDIENCE,
  tokenInFragment: TOKEN_IN_FRAGMENT,
});

/** The gateway's own address has the stage in front of the path, a domain of the tenant's may have something else. */
const baseOf = ({ requestContext: { path: whole } }: APIGatewayProxyEvent, below: string): string =>
  whole.endsWith(below) ? `${whole.slice(0, -below.length)}/` : '/';
