import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';

const Manifest = v.object({ version: v.string() });

/** Where the version of each released package stands, and of the service itself. */
const manifests = ['package.json', 'cli/package.json', 'sdk/package.json'];
const projects = ['exporters/sqlmesh/pyproject.toml', 'exporters/datahub/pyproject.toml'];

/**
 * The one version of a release. Throws where packages disagree.
 *
 * @param root of the checkout
 */
export function releaseVersion(root: string): string {
  const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
  const versions = new Map([
    ...manifests.map((file) => [file, v.parse(Manifest, JSON.parse(read(file))).version] as const),
    ...projects.map((file) => [file, /^version = "([^"]+)"$/m.exec(read(file))?.[1] ?? 'none'] as const),
  ]);
  const [version = '', ...others] = new Set(versions.values());
  if (others.length > 0) throw new Error(`Versions differ: ${[...versions].map((one) => one.join(' ')).join(', ')}`);
  return version;
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
