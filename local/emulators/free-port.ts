import { once } from 'node:events';
import { createServer } from 'node:net';
import { Fault } from '../../shared/contract/problems.ts';

/** A free loopback port: the requested one, or any if that is 0. Throws if the requested one is in use. */
export async function freePort(requested = 0, host = '127.0.0.1'): Promise<number> {
  const server = createServer().listen(requested, host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new Fault(
      'port_taken',
      `Port ${requested} is taken or not allowed: give another with --port, or 0 for a free one.`,
      {
        cause,
      },
    );
  }
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string')
    throw new Fault('free_port_unknown', 'A TCP server has no port.');
  return address.port;
}
