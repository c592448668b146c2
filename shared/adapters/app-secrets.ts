import { randomBytes } from 'node:crypto';
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  GetSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { Fault } from '../contract/problems.ts';
import { onceSuccessful } from '../domain/base/caching.ts';
import type { SecretStore } from '../domain/codehost/ports.ts';
import { AppSecrets } from '../domain/codehost/records.ts';
import type { WebhookKey } from '../domain/notifications/webhook.ts';

type Secrets = { readonly client: SecretsManagerClient; readonly prefix: string };

const rememberedMs = 60_000;

type Known = LRUCache<string, AppSecrets>;
const nothingKnown = (): Known => new LRUCache({ max: 100, ttl: rememberedMs });

/** Secrets in AWS Secrets Manager, all under one prefix of names. */
export function appSecrets(secrets: Secrets): SecretStore {
  const { client, prefix } = secrets;
  const known = nothingKnown();
  return {
    ...appSecretsReader(secrets, known),
    put: async (ref, one) => {
      await client.send(new CreateSecretCommand({ Name: prefix + ref, SecretString: JSON.stringify(one) }));
    },
    remove: async (ref) => {
      known.delete(ref);
      // Nothing refers to it any more: nobody could want it back.
      const command = new DeleteSecretCommand({ SecretId: prefix + ref, ForceDeleteWithoutRecovery: true });
      await client.send(command).catch(nullIfMissing);
    },
  };
}

export const appSecretsReader = (secrets: Secrets, known: Known = nothingKnown()): Pick<SecretStore, 'get'> => ({
  get: async (ref) => {
    const remembered = known.get(ref);
    if (remembered) return remembered;
    const found = await read(secrets, ref);
    if (found) known.set(ref, found);
    return found;
  },
});

async function read({ client, prefix }: Secrets, ref: string): Promise<AppSecrets | null> {
  const text = await secretText(client, prefix + ref);
  return text === null ? null : v.parse(AppSecrets, JSON.parse(text));
}

/** What AWS Secrets Manager keeps under a name; null if there is no such secret. */
async function secretText(client: SecretsManagerClient, name: string): Promise<string | null> {
  const answer = await client.send(new GetSecretValueCommand({ SecretId: name })).catch(nullIfMissing);
  return answer?.SecretString ?? null;
}

/** Null in the place of “there is no such secret”; any other error is thrown again. */
function nullIfMissing(error: unknown): null {
  if (error instanceof ResourceNotFoundException) return null;
  throw error;
}

type KeySecret = { readonly client: SecretsManagerClient; readonly name: string };

const keyBytes = 32;

/** The deployment's key for webhooks in Secrets Manager, made when it is first asked for and then never changed. */
export const webhookKey = (secret: KeySecret): WebhookKey => onceSuccessful(() => readOrMake(secret));

async function readOrMake({ client, name }: KeySecret): Promise<Uint8Array> {
  const found = await secretText(client, name);
  if (found === null) await make({ client, name });
  const text = found ?? (await secretText(client, name));
  if (text === null) throw new Fault('webhook_key_missing', 'the key for webhooks was not stored');
  return Buffer.from(text, 'base64url');
}

async function make({ client, name }: KeySecret): Promise<void> {
  try {
    const SecretString = randomBytes(keyBytes).toString('base64url');
    await client.send(new CreateSecretCommand({ Name: name, SecretString }));
  } catch (error) {
    // Another process came first; its key holds.
    if (!(error instanceof ResourceExistsException)) throw error;
  }
}
