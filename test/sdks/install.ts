import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { mergedRuns } from '../../shared/domain/base/concurrency.ts';
import type { Sdk } from './catalogue.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '..', '..');
const cache = path.join(root, 'node_modules', '.cache', 'sdks');
const mavenDependency = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';
export const drivers = path.join(import.meta.dirname, 'drivers');

/** A folder with an SDK and, for languages that are compiled, its driver. Installed once, until the driver changes. */
export async function install(sdk: Sdk, version: string): Promise<string> {
  const name = sdk.package ?? sdk.name;
  const digest = createHash('sha256');
  for (const file of sources(sdk)) digest.update(readFileSync(file));
  const folder = path.join(cache, `${name.replaceAll(/[/:]/g, '+')}@${version}-${digest.digest('hex').slice(0, 8)}`);
  // V0 and V1 of PostHog's SDKs share a release.
  return await once(folder, undefined, async () => {
    if (existsSync(folder)) return folder;
    mkdirSync(cache, { recursive: true });
    const draft = mkdtempSync(path.join(cache, 'draft-'));
    await installers[sdk.language](draft, name, version, sdk.driver ?? '');
    renameSync(draft, folder);
    return folder;
  });
}

const once = mergedRuns<void, string>(() => undefined);

/** What is compiled with the SDK. */
const sources = ({ language, driver = '' }: Pick<Sdk, 'language' | 'driver'>): readonly string[] => {
  if (language === 'go') return [path.join(drivers, driver, 'main.go')];
  if (language === 'java') return [driver, 'Marks'].map((one) => path.join(drivers, 'java', `${one}.java`));
  return [];
};

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
    const source = sources({ language: 'go', driver })
      .map((file) => readFileSync(file, 'utf8'))
      .join('');
    writeFileSync(path.join(folder, 'main.go'), source.replace('"SDK"', JSON.stringify(name)));
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
    const copy = `${mavenDependency}:copy-dependencies`;
    await run('mvn', ['--quiet', '--batch-mode', copy, '-DoutputDirectory=jars', '-DincludeScope=runtime'], {
      cwd: folder,
    });
    const classes = ['-cp', path.join(folder, 'jars', '*'), '-d', path.join(folder, 'classes')];
    await run('javac', [...classes, ...sources({ language: 'java', driver })]);
  },
  ruby: async (folder, name, version) => {
    await run('gem', ['install', '--silent', '--no-document', '--install-dir', folder, '--version', version, name]);
  },
};

/** The newest release that the registry has. */
export async function newestVersion(sdk: Sdk): Promise<string> {
  const name = sdk.package ?? sdk.name;
  const folder = mkdtempSync(path.join(tmpdir(), 'newest-'));
  try {
    return await newest[sdk.language](name, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const output = async (program: string, args: readonly string[], cwd: string): Promise<string> =>
  (await run(program, args, { cwd })).stdout.trim();

const npmNewest = (name: string, folder: string) => output('npm', ['view', name, 'version'], folder);

const newest: Readonly<Record<Sdk['language'], (name: string, folder: string) => Promise<string>>> = {
  node: npmNewest,
  browser: npmNewest,
  python: async (name, folder) => {
    const options = ['--quiet', '--disable-pip-version-check', '--dry-run', '--ignore-installed', '--no-deps'];
    const report = await output('python3', ['-m', 'pip', 'install', ...options, '--report', '-', name], folder);
    return JSON.parse(report).install[0].metadata.version;
  },
  go: (name, folder) => output('go', ['list', '-m', '-f', '{{.Version}}', `${name}@latest`], folder),
  java: async (name, folder) => {
    const options = [`-Dartifact=${name}:RELEASE`, `-DoutputDirectory=${folder}`];
    await run('mvn', ['--quiet', '--batch-mode', `${mavenDependency}:copy`, ...options], { cwd: folder });
    const [jar = ''] = readdirSync(folder);
    return path.basename(jar, '.jar').slice(`${name.split(':')[1]}-`.length);
  },
  ruby: async (name, folder) => {
    const listed = await output('gem', ['list', '--remote', '--exact', name], folder);
    const version = /\((\S+)\)/.exec(listed)?.[1];
    if (version === undefined) throw new Error(`the registry has no ${name}`);
    return version;
  },
};
