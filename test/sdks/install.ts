import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Sdk } from './catalogue.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '..', '..');
const cache = path.join(root, 'node_modules', '.cache', 'sdks');
export const drivers = path.join(import.meta.dirname, 'drivers');

/** A folder with an SDK and, for languages that are compiled, its driver. Installed once. */
export async function install(sdk: Sdk, version: string): Promise<string> {
  const name = sdk.package ?? sdk.name;
  const folder = path.join(cache, `${name.replaceAll(/[/:]/g, '+')}@${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(path.join(cache, 'draft-'));
  await installers[sdk.language](draft, name, version, sdk.driver ?? '');
  renameSync(draft, folder);
  return folder;
}

type Install = (folder: string, name: string, version: string, driver: string) => Promise<unknown>;

const npm: Install = async (folder, name, version) => {
  writeFileSync(path.join(folder, 'package.json'), '{}');
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--silent', '--prefix', folder];
  await run('npm', ['install', ...options, `${name}@${version}`]);
};

const installers: Readonly<Record<Sdk['language'], Install>> = {
  node: npm,
  browser: npm,
  python: async (folder, name, version) => {
    const options = ['--quiet', '--no-input', '--disable-pip-version-check', '--target', folder];
    await run('python3', ['-m', 'pip', 'install', ...options, `${name}==${version}`]);
  },
  go: async (folder, name, version, driver) => {
    cpSync(path.join(drivers, driver), folder, { recursive: true });
    writeFileSync(path.join(folder, 'go.mod'), 'module driver\n\ngo 1.23\n');
    await run('go', ['get', `${name}@${version}`], { cwd: folder });
    await run('go', ['build', '-o', 'driver', '.'], { cwd: folder });
  },
  java: async (folder, name, version, driver) => {
    const [group, artifact] = name.split(':');
    const coordinates = (name: string, of: readonly (string | undefined)[]) =>
      `<${name}><groupId>${of[0]}</groupId><artifactId>${of[1]}</artifactId><version>${of[2]}</version></${name}>`;
    const dependency = coordinates('dependency', [group, artifact, version]);
    const own = coordinates('project', ['driver', 'driver', '1']).replace(
      '</project>',
      `<modelVersion>4.0.0</modelVersion><dependencies>${dependency}</dependencies></project>`,
    );
    writeFileSync(path.join(folder, 'pom.xml'), own);
    const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
    await run('mvn', ['--quiet', '--batch-mode', copy, '-DoutputDirectory=jars', '-DincludeScope=runtime'], {
      cwd: folder,
    });
    const source = path.join(drivers, 'java', `${driver}.java`);
    await run('javac', ['-cp', path.join(folder, 'jars', '*'), '-d', path.join(folder, 'classes'), source]);
  },
};
