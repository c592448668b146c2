import { CreateSecretCommand, DeleteSecretCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import type { SecretStore } from '../domain/codehost/ports.ts';
import { AppSecrets } from '../domain/codehost/records.ts';
import { nullIfMissing, secretText } from './secret-text.ts';

type Secrets = { readonly client: SecretsManagerClient; readonly prefix: string };

/** What is under a reference never changes; that it was removed is known to all processes after this time. */
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

/** The same for those who write none. */
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
