import path from 'node:path';
import { type BuildResult, build } from 'esbuild';
import { bundleOptions } from '../../lib/bundle-functions.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const command = /@aws-sdk\/client-(dynamodb|firehose|s3|sqs|secrets-manager)\/.*\/(\w+)Command\.js$/;
/** What clients of the SDK hold for endpoints and buckets that this service has not. */
const ofClientsThemselves = new Set(['dynamodb:DescribeEndpoints', 's3:CreateSession']);

/** The parts of the sources and commands of the SDK that are left in a function's bundle. */
export type Bundled = { readonly commands: ReadonlySet<string>; readonly text: string };

/** Names are kept readable, so that the parts of transactions are found. */
const readable = { minify: false, minifySyntax: true, minifyWhitespace: true, sourcemap: false, write: false } as const;

/** What each function's bundle holds: the bundler leaves out what nothing calls. */
export async function bundledFunctions(names: readonly string[]): Promise<ReadonlyMap<string, Bundled>> {
  const built = await build({ ...bundleOptions(names, 'bundles'), ...readable });
  return new Map(
    Object.keys(built.metafile.outputs).map((file) => [path.basename(path.dirname(file)), bundledIn(built, file)]),
  );
}

/** What is left of the sources that a module of the project's root needs. */
export async function bundled(source: string): Promise<Bundled> {
  const { entryPoints: _, ...options } = bundleOptions([], 'bundles');
  const built = await build({ ...options, ...readable, stdin: { contents: source, resolveDir: root, loader: 'ts' } });
  return bundledIn(built, Object.keys(built.metafile.outputs)[0] ?? '');
}

type Built = BuildResult<{ metafile: true; write: false }>;

function bundledIn({ metafile, outputFiles }: Built, file: string): Bundled {
  const commands = Object.entries(metafile.outputs[file]?.inputs ?? {}).flatMap(([input, { bytesInOutput }]) => {
    const [, service = '', name = ''] = command.exec(input) ?? [];
    // As the actions of AWS are named.
    return bytesInOutput > 0 && name !== '' ? [`${service.replace('-', '')}:${name}`] : [];
  });
  const text = outputFiles.find((one) => one.path === path.join(root, file))?.text ?? '';
  return { commands: new Set(commands.filter((one) => !ofClientsThemselves.has(one))), text };
}

const transactedParts = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

const statementKinds = { 'INSERT INTO': 'PartiQLInsert', UPDATE: 'PartiQLUpdate', 'DELETE FROM': 'PartiQLDelete' };

/** What a role must allow for a bundle to send its commands, as `service:Action`: AWS names some actions otherwise. */
export function rightsOf({ commands, text }: Bundled): ReadonlySet<string> {
  return new Set([...commands].flatMap((one) => actionsOf(one, text)));
}

function actionsOf(command: string, text: string): string[] {
  switch (command) {
    // A transaction needs the right of each of its parts, and no separate right.
    case 'dynamodb:TransactWriteItems':
      return Object.entries(transactedParts).flatMap(([part, action]) =>
        new RegExp(`\\b${part}:\\{`).test(text) ? [`dynamodb:${action}`] : [],
      );
    // PartiQL has its own rights, by the kind of a statement.
    case 'dynamodb:BatchExecuteStatement':
      return Object.entries(statementKinds).flatMap(([kind, action]) =>
        new RegExp(`[\`'"]${kind} `).test(text) ? [`dynamodb:${action}`] : [],
      );
    case 'sqs:SendMessageBatch':
    case 'sqs:ChangeMessageVisibilityBatch':
      return [command.replace(/Batch$/, '')];
    case 's3:CopyObject':
      return ['s3:GetObject', 's3:PutObject'];
    // Without the right to list, a missing object answers 403 to a read instead of 404.
    case 's3:GetObject':
      return ['s3:GetObject', 's3:ListBucket'];
    case 's3:ListObjectsV2':
      return ['s3:ListBucket'];
    default:
      // A batch of messages has the right of each of them.
      return [command.replace(/^(sqs:\w+)Batch$/, '$1')];
  }
}
