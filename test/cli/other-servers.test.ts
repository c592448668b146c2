import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commandLine } from '../support/command-line.ts';

let answer: RequestListener;
const server = createServer((request, response) => answer(request, response));
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
afterAll(() => void server.close());

const run = (url: string) =>
  commandLine(['impact', 'a.b.c'], { env: { TRIBUTARY_URL: url, TRIBUTARY_TOKEN: 'dpt_x' } });
const port = () => (server.address() as AddressInfo).port;

it.each([200, 404, 413, 500, 502])(
  'says that another server answered, which answers %i with a page',
  async (status) => {
    answer = (_, response) => response.writeHead(status, { 'content-type': 'text/html' }).end('<html>');
    const { code, messages } = await run(`http://127.0.0.1:${port()}`);
    expect(messages).toContain(`answers ${status}, and not as a Tributary service does.`);
    expect(code).toBe(5);
  },
);

it.each(['content-length', 'chunks'])('says that a response with %s was cut', async (how) => {
  answer = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...(how !== 'chunks' && { 'content-length': 99 }) });
    response.write('{"items":[', () => response.destroy());
  };
  const { code, messages } = await run(`http://127.0.0.1:${port()}`);
  expect(messages).toContain('the connection was cut');
  expect(code).toBe(5);
});

it('says why a server cannot be reached', async () => {
  const { messages } = await run(`https://127.0.0.1:${port()}`);
  expect(messages).toContain('it does not speak https');
});

it.each(['me:PASSWORD@127.0.0.1:1', '127.0.0.1:1/#token=PASSWORD', '127.0.0.1:1/?token=PASSWORD'])(
  'never repeats a secret in the address of a service: %s',
  async (address) => {
    const { code, messages } = await run(`http://${address}`);
    expect(messages).toContain('TRIBUTARY_URL has to be an http or https URL without a user');
    expect(messages).not.toContain('PASSWORD');
    expect(code).toBe(2);
  },
);
