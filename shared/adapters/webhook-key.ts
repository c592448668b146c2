import { randomBytes } from 'node:crypto';
import {
  CreateSecretCommand,
  GetSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { Fault } from '../contract/fault.ts';
import type { WebhookKey } from '../domain/notifications/ports.ts';

type KeySecret = { readonly client: SecretsManagerClient; readonly name: string };

const keyBytes = 32;

/** The deployment's key for webhooks in Secrets Manager, made when it is first asked for and then never changed. */
export function webhookKey(secret: KeySecret): WebhookKey {
  let known: Promise<Uint8Array> | null = null;
  return () => {
    known ??= readOrMake(secret).catch((error) => {
      known = null;
      throw error;
    });
    return known;
  };
}

async function readOrMake(secret: KeySecret): Promise<Uint8Array> {
  const found = await read(secret);
  if (found) return found;
  await make(secret);
  const made = await read(secret);
  if (!made) throw new Fault('webhook_key_missing', 'the key for webhooks was not stored');
  return made;
}

async function read({ client, name }: KeySecret): Promise<Uint8Array | null> {
  try {
    const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: name }));
    return Buffer.from(SecretString, 'base64url');
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return null;
    throw error;
  }
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
