import { CloudFormationClient, DescribeStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { Problem } from '../../shared/contract/problems.ts';
import { stackNames } from '../../shared/contract/stack-outputs.ts';
import { signedFetch } from '../signed-fetch.ts';

/** Physical ids of the resources of a tenant's service, by their type. */
export async function resourcesOf(client: CloudFormationClient, tenant: string, type: string): Promise<string[]> {
  const StackName = stackNames(tenant).service;
  const { StackResources = [] } = await client.send(new DescribeStackResourcesCommand({ StackName }));
  return StackResources.flatMap(({ ResourceType, PhysicalResourceId }) =>
    ResourceType === type && PhysicalResourceId ? [PhysicalResourceId] : [],
  );
}

/** Whom the alarms of a tenant notify, and how to make a subscription that SNS deleted. */
export async function alarmMail(tenant: string) {
  const client = new CloudFormationClient({});
  const [topic = ''] = await resourcesOf(client, tenant, 'AWS::SNS::Topic');
  const subscriptions = await subscriptionsOf(client, topic);
  const subscribe = `aws sns subscribe --topic-arn ${topic} --protocol email --notification-endpoint ADDRESS`;
  const isHeard = subscriptions.some(({ confirmed }) => confirmed);
  return { topic, subscriptions, ...(!isHeard && { alarms_are_mute: true, subscribe }) };
}

async function subscriptionsOf(client: CloudFormationClient, topic: string) {
  const body = new URLSearchParams({ Action: 'ListSubscriptionsByTopic', Version: '2010-03-31', TopicArn: topic });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const response = await signedFetch(client, { service: 'sns', method: 'POST', path: '/', headers, body: `${body}` });
  const text = await response.text();
  if (!response.ok)
    throw new Problem('conflict', {
      message: `SNS answered ${response.status}. The caller needs sns:ListSubscriptionsByTopic.`,
    });
  const field = (member: string, name: string): string => member.split(`<${name}>`)[1]?.split('<')[0] ?? '';
  return text
    .split('<member>')
    .slice(1)
    .map((member) => ({
      protocol: field(member, 'Protocol'),
      endpoint: field(member, 'Endpoint'),
      // SNS sends nothing to an address that has not confirmed, and deletes its subscription after 48 hours.
      confirmed: field(member, 'SubscriptionArn').startsWith('arn:'),
    }));
}
