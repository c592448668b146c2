import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { billOf, licencesOf } from '../../scripts/release/bill-of-materials.ts';
import { changesOf, releaseVersion, setVersion, versionFiles } from '../../scripts/release/versions.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

describe('a release', () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  it('has one version in all of its packages, and a changelog entry for it', () => {
    const version = releaseVersion(root);
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(changesOf(read('CHANGELOG.md'), version).split('\n').length).toBeGreaterThan(1);
  });

  function copied(): string {
    const folder = mkdtempSync(path.join(tmpdir(), 'release-'));
    folders.push(folder);
    for (const file of versionFiles) cpSync(path.join(root, file), path.join(folder, file));
    return folder;
  }

  it('is refused if a package has another version', () => {
    const folder = copied();
    expect(releaseVersion(folder)).toBe(releaseVersion(root));
    const project = path.join(folder, 'exporters/datahub/pyproject.toml');
    writeFileSync(project, readFileSync(project, 'utf8').replace(/^version = .*$/m, 'version = "9.9.9"'));
    expect(() => releaseVersion(folder)).toThrow('exporters/datahub/pyproject.toml 9.9.9');
  });

  it('sets the version of all packages together, and of no dependency', () => {
    const folder = copied();
    setVersion(folder, '9.8.7');
    expect(releaseVersion(folder)).toBe('9.8.7');
    const lock = (where: string) => JSON.parse(readFileSync(path.join(where, 'package-lock.json'), 'utf8')).packages;
    const { '': own, ...others } = lock(folder);
    expect(own.version).toBe('9.8.7');
    expect(others).toEqual(Object.fromEntries(Object.entries(lock(root)).filter(([name]) => name !== '')));
    expect(() => setVersion(folder, '1.0')).toThrow('three numbers');
  });

  it('names every package of the repository with the version', () => {
    const manifests = globSync('{cli,sdk,packages/*,exporters/*}/{package.json,pyproject.toml}', { cwd: root });
    expect(manifests.map((file) => file.replaceAll('\\', '/')).filter((file) => !versionFiles.includes(file))).toEqual(
      [],
    );
    expect(manifests.length).toBeGreaterThan(5);
  });

  it('takes only the changes below the heading of its version', () => {
    const changelog = '# Changes\n\n## 1.1.0 (unreleased)\n\n- New.\n\n## 1.0.0\n\n- Old.\n\n## 0.9.0\n';
    expect(changesOf(changelog, '1.1.0')).toBe('- New.\n');
    expect(changesOf(changelog, '1.0.0')).toBe('- Old.\n');
    expect(changesOf('## [1.2.0] - 2026-12-01\n\n### Added\n\n- New.\n', '1.2.0')).toBe('### Added\n\n- New.\n');
    expect(() => changesOf(changelog, '0.9.0')).toThrow('nothing of 0.9.0');
    expect(() => changesOf(changelog, '1.1')).toThrow('nothing of 1.1');
  });

  it('carries the licence in each package of Python; those of npm get it when they are packed', () => {
    const folders = ['exporters/sqlmesh', 'exporters/datahub', 'exporters/warehouse'];
    expect(folders.map((folder) => read(`${folder}/LICENSE`))).toEqual(folders.map(() => read('LICENSE')));
  });
});

describe('a bill of materials', () => {
  const part = (name: string) => ({ 'bom-ref': `${name}@1.0.0`, name, version: '1.0.0' });
  const everything = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    metadata: { timestamp: 'now', component: part('checkout') },
    components: [part('a'), part('b'), part('c')],
    dependencies: [
      { ref: 'checkout@1.0.0', dependsOn: ['a@1.0.0'] },
      { ref: 'a@1.0.0', dependsOn: ['b@1.0.0', 'c@1.0.0'] },
    ],
  };
  const released = { name: 'command', version: '2.0.0', description: 'a command' };

  it('lists what a package brings along, and how it hangs together', () => {
    const bill = billOf(everything, released, [part('a'), part('b')]);
    expect(bill.metadata['component']).toMatchObject({ name: 'command', version: '2.0.0' });
    expect(bill.components.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(bill.dependencies).toEqual([
      { ref: 'command@2.0.0', dependsOn: ['a@1.0.0', 'b@1.0.0'] },
      { ref: 'a@1.0.0', dependsOn: ['b@1.0.0'] },
    ]);
  });

  it('lists the packages of each licence, and last those without a known one', () => {
    const components = [
      { ...part('a'), licenses: [{ license: { id: 'MIT' } }] },
      { ...part('b'), licenses: [] },
      { ...part('c'), licenses: [{ expression: 'MIT OR Apache-2.0' }] },
      { ...part('d'), licenses: [{ license: { id: 'MIT' } }] },
    ];
    const [mit, either, unknown] = [
      'MIT\n  a 1.0.0\n  d 1.0.0\n',
      'MIT OR Apache-2.0\n  c 1.0.0\n',
      'not known\n  b 1.0.0\n',
    ];
    expect(licencesOf({ components })).toBe([mit, either, unknown].join('\n'));
  });

  it('is refused if a part is not listed', () => {
    expect(() => billOf(everything, released, [part('d')])).toThrow('d@1.0.0');
  });
});
