import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { deliveryStore } from '../shared/adapters/dynamodb/deliveries.ts';
import { dueDeliveries } from '../shared/adapters/dynamodb/due-deliveries.ts';
import { redrive } from '../shared/adapters/sqs/redrive.ts';
import { accessKeysOf, type LocalStores, queueNames } from '../shared/contract/stack-outputs.ts';
import { retractOpenAttempts } from '../shared/domain/ingest/deliveries/attempt.ts';

/**
 * Takes up what the last run left, before any worker runs: its attempts ended with it and say nothing of their
 * deliveries, and whatever made a message fail may have gone.
 */
export async function resumeWork(stores: LocalStores, log: (line: string) => void): Promise<void> {
  const common = { region: stores.region, credentials: accessKeysOf(stores) };
  const dynamodb = new DynamoDBClient({ ...common, endpoint: stores.endpoints.dynamodb });
  const sqs = new SQSClient({ ...common, endpoint: stores.endpoints.sqs });
  try {
    const table = { client: dynamodb, name: stores.table };
    const retracted = await retractOpenAttempts(
      { due: dueDeliveries(table), deliveries: deliveryStore(table) },
      new Date(),
    );
    if (retracted > 0) log(`${retracted} deliveries were being projected when the service ended: they begin again.`);
    for (const queue of queueNames) {
      const deadLetterQueueUrl = stores[`${queue}_dead_letter_queue_url`];
      const sent = await redrive(sqs, { deadLetterQueueUrl, queueUrl: stores[`${queue}_queue_url`], waitSeconds: 0 });
      if (sent > 0) log(`${sent} dead letters of the ${queue} queue are tried again.`);
    }
  } finally {
    dynamodb.destroy();
    sqs.destroy();
  }
}
