import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAllowedUrl, isPublicAddress } from '../../shared/adapters/outbound/allowed-address.ts';
import { guardedFetch, publicLookup } from '../../shared/adapters/outbound/guarded-fetch.ts';
import { HostFailure } from '../../shared/domain/codehost/code-host.ts';

const bounds = { maxBytes: 1_000, timeoutMs: 5_000 };
const reasonOf = (error: unknown) => (error instanceof HostFailure ? error.reason : error);
const requested: string[] = [];
const server = createServer((request, response) => {
  requested.push(request.url ?? '');
  if (request.url === '/redirect') response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
  else response.end(request.url === '/large' ? 'x'.repeat(2_000) : 'answered');
});
let host = '';
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

describe('addresses of code hosts (C-CODEHOST-4)', () => {
  it('are public if no registry sets them apart', () => {
    for (const address of [
      '1.1.1.1',
      '140.82.112.3',
      '8.8.8.8',
      '100.63.255.255',
      '172.32.0.1',
      '2606:4700::1111',
      '2a00:1450::1',
    ])
      expect(isPublicAddress(address), address).toBe(true);
    for (const address of [
      '127.0.0.1',
      '10.0.0.1',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '224.0.0.1',
      '255.255.255.255',
      '198.18.0.1',
      '::',
      '::1',
      'fe80::1',
      'fc00::1',
      'fd12::1',
      'ff02::1',
      '2002:7f00:1::',
      '2001:db8::1',
      '64:ff9b::7f00:1',
      'nonsense',
      '',
    ])
      expect(isPublicAddress(address), address).toBe(false);
  });

  it('are no more public as IPv6 addresses that hold them', () => {
    const byte = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(fc.tuple(byte, byte, byte, byte), (bytes) => {
        expect(isPublicAddress(`::ffff:${bytes.join('.')}`)).toBe(false);
        if ([10, 127, 0].includes(bytes[0])) expect(isPublicAddress(bytes.join('.'))).toBe(false);
      }),
    );
  });

  it('are looked at as a name is connected to', async () => {
    const found = await new Promise((resolve) => publicLookup('localhost', { all: true }, (error) => resolve(error)));
    expect(reasonOf(found)).toBe('address_refused');
  });

  it('may be allowed by name, and then plain http only to this machine', async () => {
    const allowed = new Set([host, 'codehost.internal']);
    expect(isAllowedUrl(new URL(`http://${host}/`), allowed)).toBe(true);
    expect(isAllowedUrl(new URL('https://codehost.internal/'), allowed)).toBe(true);
    expect(isAllowedUrl(new URL('http://codehost.internal/'), allowed)).toBe(false);
    expect(isAllowedUrl(new URL('https://codehost.internal:8443/'), allowed)).toBe(false);
    expect(await (await guardedFetch(allowed, bounds)(`http://${host}/`)).text()).toBe('answered');
  });

  it('are not asked if they are not allowed, not even by a redirect', async () => {
    const before = requested.length;
    await expect(guardedFetch(new Set(), bounds)(`http://${host}/`)).rejects.toMatchObject({
      reason: 'address_refused',
    });
    await expect(guardedFetch(new Set(), bounds)(`https://${host}/`)).rejects.toMatchObject({
      reason: 'address_refused',
    });
    expect(requested.length).toBe(before);
    const redirected = await guardedFetch(new Set([host]), bounds)(`http://${host}/redirect`);
    expect([redirected.status, requested.length]).toEqual([302, before + 1]);
  });

  it('answer within bounds, or not', async () => {
    await expect(guardedFetch(new Set([host]), bounds)(`http://${host}/large`)).rejects.toMatchObject({
      reason: 'too_large',
    });
    await expect(guardedFetch(new Set(['127.0.0.1:9']), bounds)('http://127.0.0.1:9/')).rejects.toMatchObject({
      reason: 'unreachable',
    });
  });
});
