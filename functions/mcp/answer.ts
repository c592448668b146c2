import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import * as v from 'valibot';
import { McpMessage, McpRefusal } from '../../shared/contract/mcp.ts';

type Message = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
};

/** Answers one message with a new server: no session is kept between two. */
export async function answerMessage(makeServer: () => Server, { url, headers, body }: Message) {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const all = { 'content-type': 'application/json', ...Object.fromEntries(given), accept: acceptedBy(headers) };
  const request = new Request(url, { method: 'POST', headers: all });
  const isOlder = await isLegacyRequest(request, body);
  const served = await (isOlder ? olderAnswer : currentAnswer)(makeServer, request, body);
  // Nothing here ever changes by itself, so there is nothing to wait for.
  if (v.is(Listening, body)) await served.close();
  return replyOf(served);
}

const Listening = v.object({ method: v.literal('subscriptions/listen') });

type Served = { readonly response: Response; readonly close: () => Promise<void> };
type Answering = (makeServer: () => Server, request: Request, parsedBody: unknown) => Promise<Served>;

/** Of revision 2026-07-28 and later, whose messages say all that they need. */
const currentAnswer: Answering = async (makeServer, request, parsedBody) => {
  const served = createMcpHandler(makeServer, { legacy: 'reject', keepAliveMs: 0 });
  return { response: await served.fetch(request, { parsedBody }), close: () => served.close() };
};

const WantsProgress = v.object({
  params: v.object({ _meta: v.object({ progressToken: v.union([v.string(), v.number()]) }) }),
});

/** Of the revisions before. The SDK's own fallback always answers a stream, which fewer clients read. */
const olderAnswer: Answering = async (makeServer, request, parsedBody) => {
  const server = makeServer();
  const enableJsonResponse = !v.is(WantsProgress, parsedBody);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse });
  await server.connect(transport);
  return { response: await transport.handleRequest(request, { parsedBody }), close: () => server.close() };
};

const both = 'application/json, text/event-stream';

/** The transport asks clients to take both media types; a client that accepts only JSON still gets JSON. */
const acceptedBy = ({ accept = both }: Message['headers']): string =>
  /application\/(json|\*)|\*\/\*/.test(accept) ? both : accept;

async function replyOf({ response, close }: Served) {
  const { status, body, headers } = response;
  if (body && headers.get('content-type') === 'text/event-stream')
    return { status: 200, bytes: eventsOf(body, close) } as const;
  try {
    if (status === 202) return { status } as const;
    const message: unknown = await response.json();
    if (status === 200) return { status, body: v.parse(McpMessage, message) } as const;
    return { status: status === 406 ? 406 : 400, body: v.parse(McpRefusal, message) } as const;
  } finally {
    await close();
  }
}

/** The events of an answer. If its reader has gone, the call ends. */
async function* eventsOf(body: ReadableStream<Uint8Array>, close: () => Promise<void>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    await close();
  }
}
