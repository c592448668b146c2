import type { ChildProcess } from 'node:child_process';
import { createCipheriv, createDecipheriv, randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import * as v from 'valibot';
import { Fault } from '../../shared/contract/problems.ts';
import { closeServer, listenOnLoopback } from '../listen.ts';
import { type AccessKeys, newAccessKeys } from './access-keys.ts';
import { type Address, dynamodbProgram } from './dynamodb-program.ts';
import { freePort } from './free-port.ts';
import { Refused, refuseForeign, verifiedBody } from './guard.ts';
import { startSupervised, stopSupervised } from './supervised-process.ts';

type Endpoints = Readonly<Record<'dynamodb' | 's3' | 'sqs' | 'secretsManager', string>>;

export type Emulators = {
  readonly endpoints: Endpoints;
  /** For this process and its threads: never written down. */
  readonly innerEndpoints: Endpoints;
  readonly keys: AccessKeys;
  readonly stop: () => Promise<void>;
};

export async function startEmulators(folder: string | null): Promise<Emulators> {
  if (folder) await mkdir(folder, { recursive: true });
  if (folder) for (const name of ['dynamodb.sqlite', 'fauxqs.db']) checkDatabase(path.join(folder, name));
  const keys = newAccessKeys();
  const starting = [
    startDynamodb(keys, folder && path.join(folder, 'dynamodb.sqlite')),
    startQueuesAndObjects(keys, folder),
    startSecrets(keys, folder),
  ] as const;
  const stop = async (): Promise<void> => {
    for (const one of await Promise.allSettled(starting)) if (one.status === 'fulfilled') await one.value.stop();
  };
  try {
    const [tables, rest, secrets] = await Promise.all(starting);
    const others = { s3: rest.endpoint, sqs: rest.endpoint, secretsManager: secrets.endpoint };
    return {
      endpoints: { dynamodb: tables.endpoint, ...others },
      innerEndpoints: { dynamodb: tables.innerEndpoint, ...others },
      keys,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startQueuesAndObjects(keys: AccessKeys, folder: string | null): Promise<Emulator> {
  if (folder) releaseMessages(path.join(folder, 'fauxqs.db'));
  const thread = new Worker(new URL('./fauxqs-thread.ts', import.meta.url), {
    workerData: { folder, keys },
  });
  const port = await new Promise<number>((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
  });
  return { endpoint: `http://127.0.0.1:${port}`, stop: async () => void (await thread.terminate()) };
}

/** A page that is damaged would fail single requests only, at any time later. */
function checkDatabase(file: string): void {
  if (!existsSync(file)) return;
  try {
    const database = new DatabaseSync(file);
    const found = database.prepare('PRAGMA quick_check(1)').get();
    database.close();
    if (Object.values(found ?? {})[0] === 'ok') return;
  } catch {
    // Too damaged to be read at all.
  }
  throw new Fault('store_damaged', `${file} is damaged: restore it from a copy, or start with another --data folder.`);
}

/** Any worker died with the last run, so messages need not wait for their time-out, and receipts do not count. */
function releaseMessages(file: string): void {
  if (!existsSync(file)) return;
  const database = new DatabaseSync(file);
  database.exec(`
    UPDATE sqs_messages SET visibility_deadline = 1, approximate_receive_count = max(0, approximate_receive_count - 1)
    WHERE visibility_deadline IS NOT NULL`);
  database.close();
}

const Stored = v.record(v.string(), v.string());
const Named = v.object({ Name: v.string(), SecretString: v.string() });
const Addressed = v.object({ SecretId: v.string() });

class SecretsRefusal extends Error {}

type Secrets = { readonly all: Map<string, string>; readonly keep: () => void };
type Operation = (secrets: Secrets, request: unknown) => object;

const operations: Readonly<Record<string, Operation>> = {
  CreateSecret: ({ all, keep }, request) => {
    const { Name, SecretString } = v.parse(Named, request);
    if (all.has(Name)) throw new SecretsRefusal('ResourceExistsException');
    all.set(Name, SecretString);
    keep();
    return { Name };
  },
  GetSecretValue: ({ all }, request) => {
    const { SecretId } = v.parse(Addressed, request);
    const SecretString = all.get(SecretId);
    if (SecretString === undefined) throw new SecretsRefusal('ResourceNotFoundException');
    return { Name: SecretId, SecretString };
  },
  DeleteSecret: ({ all, keep }, request) => {
    const { SecretId } = v.parse(Addressed, request);
    if (!all.delete(SecretId)) throw new SecretsRefusal('ResourceNotFoundException');
    keep();
    return { Name: SecretId };
  },
};

async function startSecrets(keys: AccessKeys, folder: string | null): Promise<Emulator> {
  const secrets = storedSecrets(folder);
  const server = createServer((request, response) => {
    answer(keys, secrets, request).then(
      (body) => reply(response, 200, body),
      (error) => reply(response, ...refusalOf(error)),
    );
  });
  const endpoint = await listenOnLoopback(server);
  return { endpoint, stop: () => closeServer(server) };
}

function storedSecrets(folder: string | null): Secrets {
  if (folder === null) return { all: new Map(), keep: () => undefined };
  const file = sealedFile(path.join(folder, 'secrets'));
  const all = new Map(Object.entries(v.parse(Stored, JSON.parse(file.read() ?? '{}'))));
  return { all, keep: () => file.write(JSON.stringify(Object.fromEntries(all))) };
}

async function answer(keys: AccessKeys, secrets: Secrets, request: IncomingMessage): Promise<object> {
  refuseForeign(request.headers, request.socket.localPort);
  const { method = 'POST', url = '/', headers } = request;
  const body = await text(verifiedBody(keys, { method, url, headers }, request));
  const [, name = ''] = String(headers['x-amz-target']).split('.');
  const operation = operations[name];
  if (operation === undefined) throw new SecretsRefusal('InvalidRequestException');
  return operation(secrets, JSON.parse(body));
}

function refusalOf(error: unknown): [number, object] {
  if (error instanceof SecretsRefusal) return [400, { __type: error.message }];
  if (error instanceof Refused) return [403, { __type: 'AccessDeniedException', message: error.message }];
  return [500, { __type: 'InternalServiceError' }];
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
}

const algorithm = 'aes-256-gcm';
const lengths = { key: 32, nonce: 12, tag: 16 };
/** Readable only for the owner. */
const own = { mode: 0o600 };

/** A text in a file that is read only with the key beside it: neither is of use in a copy without the other. */
function sealedFile(place: string) {
  const file = `${place}.sealed`;
  const key = keyOf(`${place}.key`);
  return {
    /** Null where there is none yet; throws where the file was changed, or sealed with another key. */
    read: (): string | null => (existsSync(file) ? opened(key, readFileSync(file)) : null),
    write: (text: string): void => {
      writeFileSync(`${file}.new`, sealed(key, text), own);
      renameSync(`${file}.new`, file);
    },
  };
}

function keyOf(file: string): Buffer {
  if (!existsSync(file)) writeFileSync(file, randomBytes(lengths.key), own);
  return readFileSync(file);
}

function sealed(key: Buffer, text: string): Buffer {
  const nonce = randomBytes(lengths.nonce);
  const cipher = createCipheriv(algorithm, key, nonce);
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), content]);
}

function opened(key: Buffer, bytes: Buffer): string {
  const content = lengths.nonce + lengths.tag;
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, lengths.nonce), { authTagLength: lengths.tag });
  decipher.setAuthTag(bytes.subarray(lengths.nonce, content));
  return Buffer.concat([decipher.update(bytes.subarray(content)), decipher.final()]).toString('utf8');
}

type Emulator = { readonly endpoint: string; readonly stop: () => Promise<void> };

/** Starts a DynamoDB emulator behind a guard that takes requests signed with the keys; without a file the data dies with it. */
async function startDynamodb(keys: AccessKeys, file: string | null): Promise<Emulator & { innerEndpoint: string }> {
  const { emulator, child } = await started(file);
  const guard = new Worker(new URL('./dynamodb-guard-thread.ts', import.meta.url), { workerData: { keys, emulator } });
  const [endpoint] = await once(guard, 'message');
  return {
    endpoint,
    innerEndpoint: `http://${emulator.host}:${emulator.port}`,
    stop: async () => {
      await guard.terminate();
      await stopSupervised(child);
    },
  };
}

type Started = { readonly emulator: Address; readonly child: ChildProcess };

async function started(file: string | null, triesLeft = 2): Promise<Started> {
  const host = hiddenHost();
  const emulator: Address = { host, port: await freePort(0, host) };
  const [program, ...args] = dynamodbProgram(emulator, file);
  const child = startSupervised(program, args);
  if (await becomesReachable(child, emulator)) return { emulator, child };
  if (triesLeft === 0) throw new Fault('emulator_ended', 'The DynamoDB emulator ended while it started.');
  return started(file, triesLeft - 1);
}

/**
 * The emulator itself checks nothing, and a guard on the way of every request of the service would halve its speed. So
 * its address, which only this process knows, is one of sixteen million on loopback; macOS has only one of them.
 */
const hiddenHost = (): string =>
  process.platform === 'darwin' ? '127.0.0.1' : ['127', ...[1, 2, 3].map(() => randomInt(1, 255))].join('.');

/** False where it ended before. */
async function becomesReachable(child: ChildProcess, address: Address): Promise<boolean> {
  while (child.exitCode === null) {
    if (await connects(address)) return true;
    await after(5);
  }
  return false;
}

async function connects({ host, port }: Address): Promise<boolean> {
  const socket = connect(port, host);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false; // Not listening yet.
  } finally {
    socket.destroy();
  }
}
