import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';

type RecordedRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: Uint8Array;
};

export type RequestRecorder = {
  readonly baseUrl: string;
  readonly requests: readonly RecordedRequest[];
  /** Resolves with the first request to the path. */
  readonly seen: (path: string) => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** An HTTP server on loopback that remembers every request, serves `files` and answers all else like the collector. */
export async function recordRequests(files: Readonly<Record<string, string>> = {}): Promise<RequestRecorder> {
  const requests: RecordedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const request = await readRequest(incoming);
    requests.push(request);
    const file = files[request.path];
    response.setHeader('content-type', file === undefined ? 'application/json' : typeOf(request.path));
    response.end(file ?? JSON.stringify({ status: 'accepted', received: 1 }));
    server.emit(`seen ${request.path}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${portOf(server)}`,
    requests,
    seen: async (path) => {
      if (!requests.some((request) => request.path === path)) await once(server, `seen ${path}`);
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readRequest(incoming: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const url = new URL(incoming.url ?? '/', 'http://localhost');
  return {
    method: incoming.method ?? '',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, [value].flat().join(',')]),
    ),
    bytes: Buffer.concat(chunks),
  };
}

const typeOf = (path: string): string => (path.endsWith('.js') ? 'text/javascript' : 'text/html');

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the recorder has no port');
  return address.port;
}
