import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Where the version of each released package is written, and of the service itself. */
const manifest = /(?<="version": ")[^"]+/;
const project = /(?<=^version = ")[^"]+/m;
const places: readonly (readonly [file: string, version: RegExp])[] = [
  ...['package.json', 'cli/package.json', 'sdk/package.json'].map((file) => [file, manifest] as const),
  ...['packages/local/package.json', 'packages/cdk/package.json'].map((file) => [file, manifest] as const),
  ...['sqlmesh', 'datahub', 'warehouse'].map((name) => [`exporters/${name}/pyproject.toml`, project] as const),
  ['shared/contract/system.ts', /(?<=^export const version = ')[^']+/m],
  ['package-lock.json', manifest],
];

/** The files above, below the root of a checkout. */
export const versionFiles: readonly string[] = places.map(([file]) => file);

/**
 * The one version of a release. Throws where packages disagree.
 *
 * @param root of the checkout
 */
export function releaseVersion(root: string): string {
  const versions = new Map(
    places.map(([file, version]) => [file, version.exec(readFileSync(path.join(root, file), 'utf8'))?.[0] ?? 'none']),
  );
  const [version = '', ...others] = new Set(versions.values());
  if (others.length > 0) throw new Error(`Versions differ: ${[...versions].map((one) => one.join(' ')).join(', ')}`);
  return version;
}

/** Writes a version into all of these files. */
export function setVersion(root: string, version: string): void {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('A version has three numbers, for example 0.2.0.');
  for (const [file, place] of places) {
    const text = readFileSync(path.join(root, file), 'utf8');
    // A lock file names the version of its root twice, before all others.
    const changed = file === 'package-lock.json' ? twice(text, place, version) : text.replace(place, version);
    writeFileSync(path.join(root, file), changed);
  }
}

function twice(text: string, place: RegExp, version: string): string {
  let left = 2;
  return text.replaceAll(new RegExp(place, 'g'), (found) => (left-- > 0 ? version : found));
}

/**
 * The section of a version in a changelog, without its heading, which may have brackets and a date. Throws if the section
 * is missing or lists no change.
 */
export function changesOf(changelog: string, version: string): string {
  const section = changelog
    .split(/^## /m)
    .find((one) => one.split(/\s/, 1)[0]?.replace(/^\[(.+)\]$/, '$1') === version);
  const changes = section?.slice(section.indexOf('\n')).trim() ?? '';
  if (!/^- /m.test(changes)) throw new Error(`CHANGELOG.md says nothing of ${version}.`);
  return `${changes}\n`;
}
