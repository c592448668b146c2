import { createMcpHandler, type Server } from '@modelcontextprotocol/server';
import * as v from 'valibot';
import { McpMessage, McpRefusal } from '../../shared/contract/mcp.ts';

type Message = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
};

const Listening = v.object({ method: v.literal('subscriptions/listen') });
const WantsProgress = v.object({
  params: v.object({ _meta: v.object({ progressToken: v.union([v.string(), v.number()]) }) }),
});

/** Answers one message with a new server: no session is kept between two. */
export async function answerMessage(makeServer: () => Server, { url, headers, body }: Message) {
  const all = { 'content-type': 'application/json', ...headers, accept: acceptedBy(headers) };
  const served = createMcpHandler(makeServer, { keepAliveMs: 0 });
  const response = await served.fetch(new Request(url, { method: 'POST', headers: all }), { parsedBody: body });
  const { status } = response;
  const events = response.headers.get('content-type') === 'text/event-stream' ? response.body : null;
  // Nothing here ever changes by itself, so there is nothing to wait for.
  if (v.is(Listening, body)) await served.close();
  if (events && (v.is(Listening, body) || v.is(WantsProgress, body)))
    return { status: 200, bytes: eventsOf(events, () => served.close()) } as const;
  try {
    if (status === 202) return { status } as const;
    const text = await response.text();
    // The SDK answers earlier revisions by a stream of one event. More clients read JSON.
    const message: unknown = JSON.parse(events ? text.slice(text.lastIndexOf('\ndata:') + '\ndata:'.length) : text);
    if (status === 200) return { status, body: v.parse(McpMessage, message) } as const;
    return { status: status === 406 ? 406 : 400, body: v.parse(McpRefusal, message) } as const;
  } finally {
    await served.close();
  }
}

const both = 'application/json, text/event-stream';

/** The transport asks clients to take both media types; a client that accepts only JSON still gets JSON. */
const acceptedBy = ({ accept = both }: Message['headers']): string =>
  /application\/(json|\*)|\*\/\*/.test(accept) ? both : accept;

/** The events of an answer. If its reader has gone, the call ends. */
async function* eventsOf(body: ReadableStream<Uint8Array>, close: () => Promise<void>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    await close();
  }
}
