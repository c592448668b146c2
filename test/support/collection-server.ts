import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenOnLoopback } from '../../local/listen.ts';
import { callCollection } from './collection-call.ts';
import { collectionPorts } from './collection-ports.ts';

/** What becomes of the next requests, in their order: then all are answered. */
export type Fate = 'unavailable' | 'limited' | 'answer lost';

/** The collection function behind a server on loopback, which fails as networks and services do. */
export async function startCollection() {
  const world = collectionPorts();
  const origins: string[] = [];
  const keys = {
    ...world.keys,
    projectKey: async (hash: string) => {
      const key = await world.keys.projectKey(hash);
      return key && { ...key, origins };
    },
    isKnownOrigin: async (origin: string) => origins.includes(origin),
  };
  const ports = { ...world, keys, clock: { now: () => new Date() }, enabled: true };
  const fates: Fate[] = [];
  const calls: string[] = [];
  const pages = new Map<string, { readonly type: string; readonly text: string }>();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const page = pages.get(pathname);
    if (page) return void response.setHeader('content-type', page.type).end(page.text);
    const body = await buffer(request);
    if (request.method === 'POST') calls.push(pathname);
    const fate = request.method === 'POST' ? fates.shift() : undefined;
    if (fate === 'unavailable' || fate === 'limited') {
      const status = fate === 'limited' ? 429 : 503;
      return void response.writeHead(status, { 'retry-after': '0', 'access-control-allow-origin': '*' }).end('{}');
    }
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const {
      status,
      headers: own,
      json,
    } = await callCollection(ports, pathname, { method: request.method ?? '', headers, body });
    if (fate === 'answer lost') return void request.socket.destroy();
    response.writeHead(status, own as Record<string, string>).end(json === null ? '' : JSON.stringify(json));
    server.emit('answered');
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const url = await listenOnLoopback(server);
  return {
    url,
    fates,
    calls,
    pages,
    origins,
    /** The events that a store keeps, the first of each id, as `type name`. */
    stored: () => {
      const all = world.accepted.flatMap(({ lines }) => lines.map((line) => JSON.parse(line)));
      const first = new Map(all.toReversed().map((event) => [event.id, event]));
      return {
        sent: all.length,
        events: [...first.values()]
          .map((one) => `${one.type} ${one.event ?? one.properties?.name ?? ''}`.trim())
          .sort(),
      };
    },
    /** Resolves with the next answer. */
    answered: () => once(server, 'answered'),
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
