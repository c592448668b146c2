import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import type { Server } from 'node:net';
import { Fault } from '../shared/contract/problems.ts';

/** Listens at a port of loopback, or at any free one if it is 0, and returns the base URL. Another host is that of a container. */
export async function listenOnLoopback(server: Server, port = 0, host = '127.0.0.1'): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Fault('server_without_port', 'A TCP server has no port.');
  return `http://127.0.0.1:${address.port}`;
}

/** Stops listening, and breaks requests off. */
export async function closeServer(server: HttpServer): Promise<void> {
  server.close();
  server.closeAllConnections();
}
