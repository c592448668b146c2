import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { apiOf } from '../../shared/client/api.ts';

const route = { method: 'GET', path: '/v1/workspaces', access: { kind: 'none' } } as never;

/** What a client gets from a server that answers with these statuses, one after the other, and how often it asked. */
async function asked(statuses: readonly number[]) {
  let times = 0;
  const server = createServer((_, response) => {
    const status = statuses[times++] ?? 200;
    response.writeHead(status, status >= 400 ? { 'retry-after': '0.005' } : {}).end(JSON.stringify({ status }));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const outcome = await apiOf(`http://127.0.0.1:${port}/`, undefined)
    .ask(route)
    .catch(({ status }: { status: number }) => `refused: ${status}`);
  server.close();
  return [outcome, times];
}

it('asks again, as soon as the service says, if the service is too busy', async () => {
  expect(await asked([429, 503, 429])).toEqual([{ status: 200 }, 4]);
  expect(await asked([503, 503, 503, 503])).toEqual(['refused: 503', 4]);
});

it('asks once if a repetition would not help', async () => {
  expect(await asked([500])).toEqual(['refused: 500', 1]);
  expect(await asked([404])).toEqual(['refused: 404', 1]);
});
