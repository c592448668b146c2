import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { listenOnLoopback } from '../listen.ts';
import type { AccessKeys } from './access-keys.ts';
import type { Emulator } from './dynamodb.ts';
import { Refused, refuseForeign, verifiedBody } from './guard.ts';
import { sealedFile } from './sealed-file.ts';

const Stored = v.record(v.string(), v.string());
const Named = v.object({ Name: v.string(), SecretString: v.string() });
const Addressed = v.object({ SecretId: v.string() });

/** A refusal as Secrets Manager words it. */
class SecretsRefusal extends Error {}

type Secrets = { readonly all: Map<string, string>; readonly keep: () => void };
type Operation = (secrets: Secrets, request: unknown) => object;

/** The operations that the service uses, by the name that their target has. */
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

/** Starts what stands for Secrets Manager: an encrypted file in the folder; without a folder the secrets die with it. */
export async function startSecrets(keys: AccessKeys, folder: string | null): Promise<Emulator> {
  const secrets = keptSecrets(folder);
  const server = createServer((request, response) => {
    answer(keys, secrets, request).then(
      (body) => reply(response, 200, body),
      (error) => reply(response, ...refusalOf(error)),
    );
  });
  const endpoint = await listenOnLoopback(server);
  const stop = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
  };
  return { endpoint, innerEndpoint: endpoint, stop };
}

function keptSecrets(folder: string | null): Secrets {
  if (folder === null) return { all: new Map(), keep: () => undefined };
  const file = sealedFile(folder, 'secrets');
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
