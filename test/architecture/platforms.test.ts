import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';

const Names = v.optional(
  v.union([
    v.array(v.string()),
    v.pipe(
      v.string(),
      v.transform((name) => [name]),
    ),
  ]),
);
const Package = v.object({
  os: Names,
  cpu: Names,
  libc: Names,
  version: v.optional(v.string()),
  optional: v.optional(v.boolean()),
  optionalDependencies: v.optional(v.record(v.string(), v.string()), {}),
});
type Package = v.InferOutput<typeof Package>;

const LockFile = v.object({ packages: v.record(v.string(), Package) });
const { packages } = v.parse(LockFile, JSON.parse(readFileSync('package-lock.json', 'utf8')));

type Target = { readonly os: string; readonly cpu: string; readonly libc: string | null };

/** Where all of them are installed and tried: what is not for it, such as fsevents, no platform needs. */
const tried: Target = { os: 'linux', cpu: 'x64', libc: 'glibc' };
const targets: readonly Target[] = [
  tried,
  { os: 'linux', cpu: 'x64', libc: 'musl' },
  { os: 'linux', cpu: 'arm64', libc: 'glibc' },
  { os: 'linux', cpu: 'arm64', libc: 'musl' },
  { os: 'darwin', cpu: 'x64', libc: null },
  { os: 'darwin', cpu: 'arm64', libc: null },
  { os: 'win32', cpu: 'x64', libc: null },
];
const nameOf = ({ os, cpu, libc }: Target): string => [os, cpu, libc].filter((part) => part !== null).join(' ');

/** As npm decides it: what a package does not name, it does not need. */
function isFor({ os, cpu, libc }: Package, target: Target): boolean {
  const suits = (requested: readonly string[] | undefined, has: string | null): boolean =>
    requested === undefined || (has !== null && requested.includes(has));
  return suits(os, target.os) && suits(cpu, target.cpu) && suits(libc, target.libc);
}

/** Alternative packages: a platform needs one of each family. A family is named by one package, or is of one kind in the project. */
const families = Object.entries(packages).flatMap(([place, { optionalDependencies }]) => {
  const native = Object.keys(optionalDependencies).filter((name) => locked(place, name).os !== undefined);
  const kinds = Map.groupBy(native, (name) => (place === '' ? (/^(@\w+|\w+)/.exec(name)?.[0] ?? name) : place));
  return [...kinds].map(([kind, members]) => ({
    kind: kind.replace(/^.*node_modules\//, ''),
    members: members.map((name) => ({ name, ...locked(place, name) })),
  }));
});

function locked(place: string, name: string): Package {
  const found = packages[`${place}/node_modules/${name}`] ?? packages[`node_modules/${name}`];
  if (found === undefined) throw new Error(`The lock file does not hold ${name}: run scripts/complete-lock-file.mjs.`);
  return found;
}

const needed = families.filter(({ members }) => members.some((member) => isFor(member, tried)));

/** Where the project goes on without: with the Node of the machine, and with JavaScript for the proof of patterns. */
const dispensable: Readonly<Record<string, readonly string[]>> = {
  'linux x64 musl': ['node'],
  'linux arm64 musl': ['node', 'recheck'],
  'linux arm64 glibc': ['recheck'],
};

describe('the lock file', () => {
  it('names every kind of native package that is used', () => {
    expect(needed.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['@dynoxide', 'node', 'esbuild', 'rolldown', '@swc/core', '@biomejs/biome']),
    );
  });

  it.each(targets.map((target) => [nameOf(target), target] as const))('has each of them for %s', (name, target) => {
    const missing = needed.filter(({ members }) => !members.some((member) => isFor(member, target)));
    expect(missing.map(({ kind }) => kind).sort()).toEqual(dispensable[name] ?? []);
  });

  it('lets npm go on if one of them is not to be had', () => {
    const required = needed.flatMap(({ members }) => members.filter(({ optional }) => !optional));
    expect(required.map(({ name }) => name)).toEqual([]);
  });

  it('holds the address of no registry', () => {
    expect(readFileSync('package-lock.json', 'utf8')).not.toContain('"resolved"');
  });
});
