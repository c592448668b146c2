import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { listenOnLoopback } from '../../local/listen.ts';

/** What becomes of a request. A restart kills the service once it has answered, and the answer is lost. */
export type Fate = 'answered' | 'answer lost' | 'unreachable' | 'restart' | 503 | 429 | 413;

export type Service = {
  /** Resolves once the service takes requests. */
  readonly url: () => Promise<string>;
  readonly restart: () => Promise<void>;
};

type SeenRequest = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly marks: readonly string[];
  /** What the SDK got; `none` if there was no answer. */
  answer: string;
};

/** Stands between an SDK and the service, and fails as networks and services do. */
export async function startProxy(service: Service, fates: readonly Fate[]) {
  const seen: SeenRequest[] = [];
  const left = [...fates];
  const server = createServer((request, response) => {
    pass(request, response).catch(() => request.socket.destroy());
  });
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await buffer(request);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const isEvents = request.method === 'POST';
    const fate = (isEvents ? left.shift() : null) ?? 'answered';
    const body = isEvents ? readBody(bytes) : null;
    const one: SeenRequest = { path: request.url ?? '', headers, body, marks: marksIn(body), answer: 'none' };
    if (isEvents) seen.push(one);
    if (fate === 'unreachable') return void request.socket.destroy();
    if (typeof fate === 'number') {
      one.answer = String(fate);
      const cors = { 'access-control-allow-origin': headers['origin'] ?? '*' };
      return void response
        .writeHead(fate, { ...cors, 'retry-after': '1', 'content-type': 'application/json' })
        .end('{}');
    }
    const url = await service.url();
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...sent } = headers;
    const answer = await fetch(url + request.url, {
      method: request.method ?? 'GET',
      headers: sent,
      ...(isEvents && { body: bytes }),
    });
    const text = await answer.text();
    if (fate === 'restart') await service.restart();
    if (fate !== 'answered') return void request.socket.destroy();
    one.answer = String(answer.status);
    const { 'content-encoding': ____e, 'content-length': ____l, ...own } = Object.fromEntries(answer.headers);
    response.writeHead(answer.status, own).end(text);
  }
  const url = await listenOnLoopback(server);
  return {
    url,
    seen: seen as readonly SeenRequest[],
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The JSON of a body: plain, gzip with or without a header, or a form of base64. */
function readBody(bytes: Buffer): unknown {
  const text = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString();
  const data = text.startsWith('data=') ? new URLSearchParams(text).get('data') : null;
  return JSON.parse(data === null ? text : Buffer.from(data, 'base64').toString());
}

type Message = { readonly [name: string]: Message } | null | undefined;

/** The marks of the calls that a body holds. */
function marksIn(body: unknown): readonly string[] {
  const { batch } = Object(body);
  const messages: readonly Message[] = Array.isArray(body) ? body : Array.isArray(batch) ? batch : [body];
  return messages.flatMap((message) => markOf(message) ?? []);
}

const markOf = (message: Message): string | undefined => {
  const { properties, traits, $set } = message ?? {};
  const holders = [properties, traits, $set, properties?.['$set'], properties?.['$group_set']];
  return holders.map((holder) => holder?.['mark'] as unknown as string | undefined).find((mark) => mark !== undefined);
};
