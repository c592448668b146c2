import { randomBytes } from 'node:crypto';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { Fault } from '../../contract/fault.ts';
import { onceSuccessful } from '../../domain/once.ts';
import { signingSecretKey } from './keys/registry-keys.ts';
import type { Table } from './table.ts';

/**
 * The deployment's secret for cursors, made when it is first asked for. It guards no access: a forged cursor would
 * still be held to its caller's workspace.
 */
export const signingSecret = (table: Table): (() => Promise<Uint8Array>) => onceSuccessful(() => readOrMake(table));

async function readOrMake(table: Table): Promise<Uint8Array> {
  const { pk, sk } = signingSecretKey;
  const { Attributes } = await table.client.send(
    new UpdateItemCommand({
      TableName: table.name,
      Key: { pk: { S: pk }, sk: { S: sk } },
      UpdateExpression: 'SET secret = if_not_exists(secret, :fresh)',
      ExpressionAttributeValues: { ':fresh': { B: randomBytes(32) } },
      ReturnValues: 'ALL_NEW',
    }),
  );
  const secret = Attributes?.['secret']?.B;
  if (!secret) throw new Fault('signing_secret_missing', 'the signing secret was not stored');
  return secret;
}
