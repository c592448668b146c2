import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as v from 'valibot';
import { apiOf } from '../../shared/client/api.ts';
import { McpMessage, McpRefusal, mcpRoutes } from '../../shared/contract/mcp.ts';
import { version } from '../../shared/contract/system.ts';
import { mcpServer } from '../../shared/mcp/server.ts';
import { httpPorts } from '../../shared/runtime/composition/intake.ts';
import { type HttpHandler, httpFunction } from '../../shared/runtime/http.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

/** Where this API answers, and as whom it is asked. */
type Caller = { readonly url: string; readonly token: string | undefined };

/** The gateway, not the request, says at which domain and stage it was reached. */
function callerOf({ headers, requestContext }: APIGatewayProxyEvent): Caller {
  const named = Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  const { domainName = 'localhost', path } = requestContext;
  const base = path.slice(0, path.lastIndexOf(mcpRoutes.postMcp.path));
  return {
    // The gateway sets the header itself, whatever the caller sent.
    url: `${named['x-forwarded-proto'] === 'https' ? 'https' : 'http'}://${domainName}${base}`,
    token: /^bearer (.+)$/i.exec(named['authorization'] ?? '')?.[1],
  };
}

/** Serves one message: no session is kept between two. */
const mcpImplementations = ({ url, token }: Caller): Implementations<typeof mcpRoutes> => ({
  postMcp: async ({ body, headers }) => {
    const request = new Request(`${url}${mcpRoutes.postMcp.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...defined(headers), accept: acceptedBy(headers) },
      body: JSON.stringify(body),
    });
    const makeServer = () => mcpServer({ api: apiOf(url, token) }, version);
    const isOlder = await isLegacyRequest(request, body);
    return replyOf(await (isOlder ? olderAnswer : currentAnswer)(makeServer, request, body));
  },
});

type Answering = (makeServer: () => Server, request: Request, parsedBody: unknown) => Promise<Response>;

/** Of revision 2026-07-28 and later, whose messages say all that they need. */
const currentAnswer: Answering = async (makeServer, request, parsedBody) => {
  const served = createMcpHandler(makeServer, { legacy: 'reject', keepAliveMs: 0 });
  try {
    return await served.fetch(request, { parsedBody });
  } finally {
    await served.close();
  }
};

/** Of the revisions before. The SDK's own fallback answers a stream, which the gateway does not carry. */
const olderAnswer: Answering = async (makeServer, request, parsedBody) => {
  const server = makeServer();
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
};

const both = 'application/json, text/event-stream';

/** The transport asks clients to take both media types; a client that accepts only JSON still gets JSON. */
const acceptedBy = ({ accept = both }: { readonly accept?: string | undefined }): string =>
  /application\/(json|\*)|\*\/\*/.test(accept) ? both : accept;

const defined = (headers: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

async function replyOf(response: Response) {
  if (response.status === 202) return { status: 202 } as const;
  const message: unknown = await response.json();
  if (response.status === 200) return { status: 200, body: v.parse(McpMessage, message) } as const;
  return { status: response.status === 406 ? 406 : 400, body: v.parse(McpRefusal, message) } as const;
}

const ports = httpPorts();

/** Serves agents by the routes that everybody asks, with the token that they came with. */
export const handler: HttpHandler = (event, context) =>
  httpFunction(mcpRoutes, mcpImplementations(callerOf(event)), ports)(event, context);
