import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { listenOnLoopback } from '../../local/listen.ts';

/** What becomes of a request with events. A restart kills the service once it has answered, and the answer is lost. */
export type Fate = 'answered' | 'answer lost' | 'unreachable' | 'restart' | 503 | 429 | 413;

export type Service = {
  /** Resolves once the service takes requests. */
  readonly url: () => Promise<string>;
  readonly restart: () => Promise<void>;
};

export type SeenRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly encoding: string;
  readonly body: unknown;
  readonly marks: readonly string[];
  readonly at: number;
  /** What the SDK got; `none` if there was no answer. */
  answer: string;
};

/** Stands between an SDK and the service, and fails as networks and services do. */
export async function startProxy(service: Service, fates: readonly Fate[]) {
  const seen: SeenRequest[] = [];
  const left = [...fates];
  let open = 0;
  const server = createServer((request, response) => {
    open++;
    pass(request, response)
      .catch(() => request.socket.destroy())
      .finally(() => open--);
  });
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await buffer(request);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const { method = 'GET', url: target = '' } = request;
    const { encoding, body } = readBody(bytes, headers['content-encoding']);
    const marks = marksIn(body);
    const fate = (marks.length > 0 ? left.shift() : null) ?? 'answered';
    const one: SeenRequest = { method, path: target, headers, encoding, body, marks, at: Date.now(), answer: 'none' };
    seen.push(one);
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
    const answer = await fetch(url + target, { method, headers: sent, ...(bytes.length > 0 && { body: bytes }) });
    const text = await answer.text();
    if (fate === 'restart') await service.restart();
    if (fate !== 'answered') return void request.socket.destroy();
    one.answer = String(answer.status);
    const { 'content-encoding': ____e, 'content-length': ____l, ...own } = Object.fromEntries(answer.headers);
    response.writeHead(answer.status, own).end(text);
  }
  const url = await listenOnLoopback(server);
  const answers = (): ReadonlyMap<string, string> =>
    new Map(seen.flatMap(({ marks, answer }) => marks.map((mark) => [mark, answer] as const)));
  return {
    url,
    seen: seen as readonly SeenRequest[],
    /** What became of each mark at last. */
    answers,
    /** Whether all marks are answered with 200 before no request was made for this time. */
    areAccepted: async (marks: readonly string[], quietMs: number): Promise<boolean> => {
      for (let quiet = 0, before = 0; quiet < quietMs; quiet += 50) {
        await after(50);
        // A request that waits for the service's restart is not the SDK's silence.
        if (open > 0 || seen.length > before) quiet = 0;
        before = seen.length;
        const known = answers();
        if (marks.every((mark) => known.get(mark) === '200')) return true;
      }
      return false;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/** The JSON of a body: plain, compressed with or without a header, or a form of base64. */
function readBody(bytes: Buffer, header: string | undefined): { encoding: string; body: unknown } {
  if (bytes.length === 0) return { encoding: 'none', body: null };
  const encoding = header ?? (bytes[0] === 0x1f && bytes[1] === 0x8b ? 'gzip' : 'none');
  const text = (decoders[encoding]?.(bytes) ?? bytes).toString();
  const data = text.startsWith('data=') ? new URLSearchParams(text).get('data') : null;
  if (data === null) return { encoding, body: JSON.parse(text) };
  return { encoding: 'base64', body: JSON.parse(Buffer.from(data, 'base64').toString()) };
}

type Message = { readonly [name: string]: Message } | null | undefined;

/** The events of a body: a batch, a list or a single one. */
export function messagesIn(body: unknown): readonly Message[] {
  const { batch } = Object(body);
  return Array.isArray(body) ? body : Array.isArray(batch) ? batch : [body as Message];
}

/** The marks of the calls that a body holds. */
const marksIn = (body: unknown): readonly string[] => messagesIn(body).flatMap((message) => markOf(message) ?? []);

const markOf = (message: Message): string | undefined => {
  const { properties, traits, context, $set } = message ?? {};
  const holders = [properties, traits, context?.['traits'], $set, properties?.['$set'], properties?.['$group_set']];
  return holders.map((holder) => holder?.['mark'] as unknown as string | undefined).find((mark) => mark !== undefined);
};
