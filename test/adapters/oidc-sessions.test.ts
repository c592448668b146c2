import { createServer } from 'node:http';
import fc from 'fast-check';
import { SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { oidcSessions } from '../../shared/adapters/oidc-sessions.ts';
import { isUnavailable } from '../../shared/runtime/problem-reply.ts';
import { startIssuer } from '../support/issuer.ts';

let issuer: Awaited<ReturnType<typeof startIssuer>>;
beforeAll(async () => {
  issuer = await startIssuer();
});
afterAll(() => issuer.stop());
afterEach(() => {
  vi.useRealTimers();
});

const sessions = (jwksUrl = issuer.jwksUrl) =>
  oidcSessions({ issuer: issuer.issuer, audience: issuer.audience, jwksUrl });
const now = new Date();
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);

describe('session tokens', () => {
  it.each(['RS256', 'ES256', 'EdDSA'] as const)(
    'are accepted if they are signed by %s (C-ACCESS-2)',
    async (algorithm) => {
      const session = await sessions()(await issuer.sign('ada', { algorithm }), now);
      expect(session).toEqual({ userId: 'ada', email: 'ada@example.test' });
    },
  );

  it('are refused if another algorithm signed them, even one that the issuer has keys for', async () => {
    const forged = new SignJWT({}).setSubject('ada').setIssuer(issuer.issuer).setAudience(issuer.audience);
    const published = new TextEncoder().encode(await (await fetch(issuer.jwksUrl)).text());
    const shared = await forged
      .setExpirationTime('1h')
      .setProtectedHeader({ alg: 'HS256', kid: 'RS256' })
      .sign(published);
    for (const jwt of [shared, await issuer.sign('ada', { algorithm: 'ES384' })])
      expect(await sessions()(jwt, now)).toBeNull();
  });

  it('are refused without a key id, and from the future (C-ACCESS-2)', async () => {
    expect(await sessions()(await issuer.sign('ada', { withoutKeyId: true }), now)).toBeNull();
    expect(await sessions()(await issuer.sign('ada', { issuedAt: later(58) }), now)).not.toBeNull();
    expect(await sessions()(await issuer.sign('ada', { issuedAt: later(600) }), now)).toBeNull();
  });

  it('are good until a minute after they expire, and not a second longer', async () => {
    const jwt = await issuer.sign('ada', { expiresAt: later(3_600) });
    expect(await sessions()(jwt, later(3_600 + 58))).not.toBeNull();
    expect(await sessions()(jwt, later(3_600 + 61))).toBeNull();
  });

  it('are verified by keys that are requested once', async () => {
    const verify = sessions();
    const before = issuer.timesAsked();
    for (let use = 0; use < 5; use++) await verify(await issuer.sign(`user-${use}`), now);
    expect(issuer.timesAsked() - before).toBe(1);
  });

  it('are accepted with a new key once the keys are fetched again, which nobody can force', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const verify = sessions();
    await verify(await issuer.sign('ada'), now);
    await issuer.addKey('ES256', 'rotated');
    vi.setSystemTime(Date.now() + 31_000);
    const before = issuer.timesAsked();
    expect(await verify(await issuer.sign('ada', { keyId: 'rotated' }), now)).not.toBeNull();
    for (let forged = 0; forged < 5; forged++)
      expect(await verify(await issuer.sign('ada', { keyId: `unknown-${forged}` }), now)).toBeNull();
    expect(issuer.timesAsked() - before).toBe(1);
  });

  it('are verified by keys that are at most ten minutes old', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const [verify, jwt] = [sessions(), await issuer.sign('ada')];
    const start = Date.now();
    await verify(jwt, now);
    const before = issuer.timesAsked();
    for (const [age, times] of [
      [599_999, 0],
      [600_000, 1],
    ] as const) {
      vi.setSystemTime(start + age);
      await verify(jwt, now);
      expect(issuer.timesAsked() - before).toBe(times);
    }
  });

  it('are unverifiable if the keys cannot be fetched', async () => {
    const broken = createServer((request, response) => {
      if (request.url === '/status') response.writeHead(500).end();
      else if (request.url === '/text') response.end('no keys here');
      else response.setHeader('content-type', 'application/json').end('{"keys":"none"}');
    });
    await new Promise<void>((listening) => broken.listen(0, '127.0.0.1', listening));
    const address = broken.address();
    const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const jwt = await issuer.sign('ada');
    for (const url of [`${base}/status`, `${base}/text`, `${base}/shape`, 'http://127.0.0.1:1/']) {
      const failure = await sessions(url)(jwt, now).catch((error) => error);
      expect(isUnavailable(failure), url).toBe(true);
    }
    broken.close();
    broken.closeAllConnections();
  });

  it('are refused, without a failure, if the text is no token', async () => {
    const [verify, jwt] = [sessions(), await issuer.sign('ada')];
    const mutated = fc
      .tuple(fc.nat(jwt.length - 1), fc.constantFrom(...'.-_=Ab0 é\n'))
      .map(([at, other]) => `${jwt.slice(0, at)}${other}${jwt.slice(at + 1)}`);
    const parts = fc.array(fc.oneof(fc.json(), fc.string()), { minLength: 1, maxLength: 5 });
    const composed = parts.map((all) => all.map((part) => Buffer.from(part).toString('base64url')).join('.'));
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), composed, mutated), async (text) => {
        // The last character of a part may say nothing: the same token in other letters.
        const same = text.split('.').every((part, index) => decoded(part) === decoded(jwt.split('.')[index] ?? ''));
        if (!same) expect(await verify(text, now)).toBeNull();
      }),
      { numRuns: 400 },
    );
  });
});

const decoded = (part: string): string => Buffer.from(part, 'base64url').toString('hex');
