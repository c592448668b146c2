import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { S3Client } from '@aws-sdk/client-s3';
import type { SQSClient } from '@aws-sdk/client-sqs';

type Metered = { readonly requests: Readonly<Record<string, number>>; readonly writeUnits: number };

/** Counts what the SDK's clients send, by command. Every write here is a put below 1 KiB, refused or not: one unit. */
export function meter(
  clients: readonly Pick<DynamoDBClient & S3Client & SQSClient, 'middlewareStack'>[],
): () => Metered {
  const counts = new Map<string, number>();
  for (const client of clients)
    client.middlewareStack.add(
      (next, { commandName = 'unknown' }) => {
        const command = commandName.replace(/Command$/, '');
        return (args) => {
          counts.set(command, (counts.get(command) ?? 0) + 1);
          return next(args);
        };
      },
      { step: 'initialize', name: 'bench-meter' },
    );
  return () => {
    const used = { requests: Object.fromEntries(counts), writeUnits: counts.get('PutItem') ?? 0 };
    counts.clear();
    return used;
  };
}
