import { once } from 'node:events';
import type { Server } from 'node:net';
import { Fault } from '../shared/contract/problems.ts';

export async function listenOnLoopback(server: Server, port = 0): Promise<string> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Fault('server_without_port', 'A TCP server has no port.');
  return `http://127.0.0.1:${address.port}`;
}
