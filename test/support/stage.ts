import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { bundleFolder } from '../../lib/function-specs.ts';
import type { SignInDirections } from '../../shared/contract/settings.ts';

type Handler = (event: Partial<APIGatewayProxyEvent>, context: Partial<Context>) => Promise<APIGatewayProxyResult>;

/**
 * A service below the path of a stage, as API Gateway's own address has it: the pages are answered by their function as
 * it is deployed, everything else by a local service.
 */
export async function startStage(stage: string, service: string, { discovery_url, client_id }: SignInDirections) {
  Object.assign(process.env, {
    OIDC_AUDIENCE: client_id,
    OIDC_DISCOVERY_URL: discovery_url,
    TOKEN_IN_FRAGMENT: 'true',
    POWERTOOLS_LOG_LEVEL: 'SILENT',
    POWERTOOLS_METRICS_DISABLED: 'true',
  });
  const { handler }: { handler: Handler } = await import(path.join(bundleFolder('web'), 'index.mjs'));
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', service);
    const below = url.pathname.replace(new RegExp(`^/${stage}(?=/|$)`), '') || '/';
    const isPage = !/^\/(v1|api|collect|health|openapi)/.test(below);
    const answer = url.pathname === below ? null : isPage ? await page(handler, stage, below) : null;
    const { status, headers, body } = answer ?? (await passed(request, service + below + url.search));
    response.writeHead(url.pathname === below ? 403 : status, headers).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/${stage}`, stop: () => server.close() };
}

async function page(handler: Handler, stage: string, below: string) {
  const event = {
    httpMethod: 'GET',
    resource: '/{proxy+}',
    path: below,
    pathParameters: { proxy: below.slice(1) },
    headers: {},
    requestContext: { path: `/${stage}${below}`, requestId: 'page' } as APIGatewayProxyEvent['requestContext'],
  };
  const { statusCode, headers, body, isBase64Encoded } = await handler(event, { awsRequestId: 'page' });
  return {
    status: statusCode,
    headers: headers as Record<string, string>,
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  };
}

async function passed({ method = 'GET', headers }: IncomingMessage, url: string) {
  const { authorization = '' } = headers;
  const answer = await fetch(url, { method, headers: { authorization } });
  return {
    status: answer.status,
    headers: { 'content-type': answer.headers.get('content-type') ?? '' },
    body: Buffer.from(await answer.arrayBuffer()),
  };
}
