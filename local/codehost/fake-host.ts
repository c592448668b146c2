import { createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { refuseForeign } from '../emulators/guard.ts';
import { listenOnLoopback } from '../listen.ts';
import { answerOf, refusalOf } from './answer-request.ts';
import type { HostAnswer } from './answers.ts';
import { emptyHost, type HostState } from './state.ts';

/** An app with the secrets that its owner has of it. */
export type FakeApp = {
  readonly app_id: string;
  readonly app_slug: string;
  readonly private_key: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly webhook_secret: string;
};

export type FakeHost = {
  /** Both of the host and of its interface. */
  readonly url: string;
  readonly state: HostState;
  /** Registers an app, with a key of its own. */
  readonly newApp: (slug: string) => FakeApp;
  readonly stop: () => Promise<void>;
};

/** Starts a code host on loopback that answers the part of GitHub's REST interface that the service asks. */
export async function startFakeHost(): Promise<FakeHost> {
  const state = emptyHost();
  const server = createServer((request, response) => {
    answer(state, request).then(
      (one) => reply(response, one),
      (error) => reply(response, refusalOf(error)),
    );
  });
  const url = await listenOnLoopback(server);
  return {
    url,
    state,
    newApp: (slug) => newApp(state, slug),
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** An app that the host knows. */
export function newApp(state: HostState, slug: string): FakeApp {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const id = 100 + state.apps.length;
  const secrets = { client_id: `Iv1.${id}`, client_secret: randomUUID(), webhook_secret: randomUUID() };
  state.apps.push({
    id,
    slug,
    publicKey: createPublicKey(privateKey),
    clientId: secrets.client_id,
    clientSecret: secrets.client_secret,
    webhookSecret: secrets.webhook_secret,
    webhookUrl: null,
  });
  const pem = privateKey.export({ type: 'pkcs1', format: 'pem' });
  return { app_id: String(id), app_slug: slug, private_key: String(pem), ...secrets };
}

async function answer(state: HostState, request: IncomingMessage): Promise<HostAnswer> {
  const { method = 'GET', headers } = request;
  refuseForeign(headers, request.socket.localPort);
  const url = new URL(request.url ?? '/', `http://${headers.host}`);
  return answerOf(state, { method, url, headers, body: await text(request) });
}

function reply(response: ServerResponse, { status, body, headers = {} }: HostAnswer): void {
  const isBytes = Buffer.isBuffer(body);
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(isBytes ? body : body === undefined ? undefined : JSON.stringify(body));
}
