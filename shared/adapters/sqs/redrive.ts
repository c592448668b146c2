import { GetQueueAttributesCommand, type SQSClient, StartMessageMoveTaskCommand } from '@aws-sdk/client-sqs';

export type Redrive = { readonly deadLetterQueueUrl: string; readonly queueUrl: string };

/** Has SQS move dead letters back to their queue; about how many there are. SQS refuses a second move meanwhile. */
export async function redrive(sqs: SQSClient, { deadLetterQueueUrl, queueUrl }: Redrive): Promise<number> {
  const attributesOf = async (QueueUrl: string) =>
    (await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }))).Attributes;
  const [source, destination] = [await attributesOf(deadLetterQueueUrl), await attributesOf(queueUrl)];
  await sqs.send(
    new StartMessageMoveTaskCommand({ SourceArn: source?.QueueArn, DestinationArn: destination?.QueueArn }),
  );
  return Number(source?.ApproximateNumberOfMessages) + Number(source?.ApproximateNumberOfMessagesNotVisible);
}
