import { createRequire } from 'node:module';
import path from 'node:path';
import { Fault } from '../../shared/contract/problems.ts';
import { dynamodbLocal, hasDynamodbLocal } from './dynamodb-local.ts';

export type Address = { readonly host: string; readonly port: number };

type Machine = {
  readonly chosen: string | undefined;
  readonly name: string;
  readonly hasDynamodbLocal: () => boolean;
};

const { platform, arch, env } = process;
const thisMachine: Machine = { chosen: env['DYNOXIDE_BIN'], name: `@dynoxide/${platform}-${arch}`, hasDynamodbLocal };

/** The platform's binary, or DynamoDB Local if that is missing and Java is there. Throws if neither is. */
export function dynamodbProgram(
  { host, port }: Address,
  file: string | null,
  machine: Machine = thisMachine,
): readonly [program: string, ...args: string[]] {
  const binary = machine.chosen || binaryOf(machine.name);
  if (binary) return [binary, 'serve', '--host', host, '--port', String(port), ...(file ? ['--db-path', file] : [])];
  if (machine.hasDynamodbLocal()) return [...dynamodbLocal, host, String(port), ...(file ? [path.dirname(file)] : [])];
  throw new Fault(
    'emulator_missing',
    `No DynamoDB emulator for this machine. Run: npm install --no-save ${machine.name} (or install a JDK and Maven, and DynamoDB Local is used).`,
  );
}

function binaryOf(name: string): string | null {
  try {
    const folder = path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    return path.join(folder, platform === 'win32' ? 'dynoxide.exe' : 'dynoxide');
  } catch {
    return null; // An optional package: npm leaves it out where it is not published.
  }
}
