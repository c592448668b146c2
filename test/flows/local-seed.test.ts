import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { decodeJwt, SignJWT } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { startEmulators } from '../../local/emulators/start.ts';
import { startIssuer } from '../../local/issuer/issuer.ts';
import { seed } from '../../local/seed/seed.ts';
import type { LocalStores } from '../../shared/contract/stack-outputs.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'seed-'));
const file = path.join(folder, 'seed-none.json');
afterAll(() => rmSync(folder, { recursive: true }));

/** What is retained is not looked up. */
const stores = {} as LocalStores;
const day = 86_400;

/** The token that a start of the service has, of a token that the start before left in the folder. */
async function tokenAfter(claims: {
  readonly iat?: number;
  readonly exp: number;
}): Promise<[before: string, after: string]> {
  const before = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32));
  writeFileSync(file, JSON.stringify({ workspaces: {}, outsider: { token: before } }));
  const issuer = await startIssuer(null);
  const { outsider } = await seed({ folder, seed: 'none' }, stores, issuer);
  await issuer.stop();
  expect(JSON.parse(readFileSync(file, 'utf8')).outsider).toEqual(outsider);
  return [before, outsider.token];
}

describe('a folder that is damaged', () => {
  it('is named with its file: the seed, and the stores', async () => {
    writeFileSync(file, '{"workspaces": ');
    const issuer = await startIssuer(null);
    await expect(seed({ folder, seed: 'none' }, stores, issuer)).rejects.toThrow(`${file} cannot be read`);
    await issuer.stop();
    for (const name of ['dynamodb.sqlite', 'fauxqs.db']) {
      const damaged = mkdtempSync(path.join(tmpdir(), 'damaged-'));
      writeFileSync(path.join(damaged, name), 'no database');
      await expect(startEmulators(damaged)).rejects.toThrow(`${path.join(damaged, name)} is damaged`);
      rmSync(damaged, { recursive: true });
    }
  });
});

describe('a token of the local service', () => {
  const now = Math.floor(Date.now() / 1_000);

  it('stays the same over a restart while it is valid', async () => {
    for (const claims of [{ exp: now + day }, { iat: now - day, exp: now + day }]) {
      const [before, after] = await tokenAfter(claims);
      expect(after).toBe(before);
    }
  });

  it('is replaced if it has expired, or if it was issued before the clock was set back', async () => {
    for (const claims of [{ exp: now - 1 }, { iat: now + day, exp: now + 2 * day }]) {
      const [before, after] = await tokenAfter(claims);
      expect(after).not.toBe(before);
      // A clock that is set back later does not make it one of the future.
      expect(decodeJwt(after).iat).toBeUndefined();
    }
  });
});
