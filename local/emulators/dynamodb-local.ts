import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const source = path.join(import.meta.dirname, 'dynamodb-local');
const pom = path.join(source, 'pom.xml');
const folder = path.resolve(import.meta.dirname, '..', '..', '.cache', 'dynamodb-local');
const mark = path.join(folder, '.installed-from');

export const dynamodbLocal = [
  'java',
  `-Djava.library.path=${folder}`,
  '-cp',
  path.join(folder, '*'),
  path.join(source, 'LoopbackServer.java'),
] as const;

export function hasDynamodbLocal(): boolean {
  return succeeds('java', ['-version']) && (isInstalled() || install());
}

const target = (): string => createHash('sha256').update(readFileSync(pom)).digest('hex');

const isInstalled = (): boolean => existsSync(mark) && readFileSync(mark, 'utf8') === target();

function install(): boolean {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const copy = ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${folder}`];
  const installed = succeeds('mvn', copy);
  if (installed) writeFileSync(mark, target());
  return installed;
}

/** Programs of Windows such as `mvn.cmd` are found only by its shell. */
const succeeds = (program: string, args: readonly string[]): boolean =>
  spawnSync(program, args, { stdio: 'ignore', shell: process.platform === 'win32' }).status === 0;
