import { randomBytes } from 'node:crypto';
import {
  CreateSecretCommand,
  ResourceExistsException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { Fault } from '../contract/fault.ts';
import type { WebhookKey } from '../domain/notifications/ports.ts';
import { onceSuccessful } from '../domain/once.ts';
import { secretText } from './secret-text.ts';

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
