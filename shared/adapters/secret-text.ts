import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

/** What AWS Secrets Manager keeps under a name; null where there is no such secret. */
export async function secretText(client: SecretsManagerClient, name: string): Promise<string | null> {
  const answer = await client.send(new GetSecretValueCommand({ SecretId: name })).catch(nullIfMissing);
  return answer?.SecretString ?? null;
}

/** Null in the place of “there is no such secret”; any other error is thrown again. */
export function nullIfMissing(error: unknown): null {
  if (error instanceof ResourceNotFoundException) return null;
  throw error;
}
