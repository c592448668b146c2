import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { expect, it } from 'vitest';

const Entry = v.looseObject({
  integrity: v.optional(v.string()),
  inBundle: v.optional(v.boolean(), false),
  optional: v.optional(v.boolean(), false),
  os: v.optional(v.union([v.string(), v.array(v.string())])),
  resolved: v.optional(v.string()),
});
const LockFile = v.object({ packages: v.record(v.string(), Entry) });

const file = path.resolve(import.meta.dirname, '..', '..', 'package-lock.json');
const packages = Object.entries(v.parse(LockFile, JSON.parse(readFileSync(file, 'utf8'))).packages).filter(
  ([place]) => place !== '',
);

it('holds each package that is installed to its digest', () => {
  expect(packages.length).toBeGreaterThan(100);
  // Bundled packages are covered by their bundle's digest. Packages for other platforms are not served everywhere.
  const loose = packages.filter(([, one]) => !one.integrity && !one.inBundle && !(one.optional && one.os));
  expect(loose.map(([place]) => place)).toEqual([]);
  const weak = packages.filter(([, { integrity }]) => integrity !== undefined && !/^sha512-/.test(integrity));
  expect(weak.map(([place]) => place)).toEqual([]);
});

it('names no registry, so that each installs from its own', () => {
  expect(packages.filter(([, { resolved }]) => resolved !== undefined).map(([place]) => place)).toEqual([]);
});
