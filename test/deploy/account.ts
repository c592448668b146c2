import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { stackNames } from '../../shared/contract/stack-outputs.ts';

const kinds = ['stacks', 'tables', 'buckets', 'userPools', 'queues', 'functions', 'apis', 'rules', 'roles'] as const;
type Left = Readonly<Record<(typeof kinds)[number], number>>;

export const nothing = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Left;

/** What is in the emulated account. */
export class Account {
  readonly #endpoint: string;

  constructor(endpoint: string) {
    this.#endpoint = endpoint;
  }

  /** The URL under which the emulator serves an API that a stack names by its public address. */
  reachable(apiUrl: string): string {
    const { hostname, pathname } = new URL(apiUrl);
    return `${this.#endpoint}/restapis/${hostname.split('.')[0]}${pathname.replace(/\/$/, '')}/_user_request_`;
  }

  /** How many resources of a tenant are there, by their kind: their names begin with one of its stacks'. */
  async left(tenant: string): Promise<Left> {
    const [tables, buckets, queues, stacks] = await Promise.all([
      new DynamoDBClient({}).send(new ListTablesCommand({})),
      new S3Client({}).send(new ListBucketsCommand({})),
      new SQSClient({}).send(new ListQueuesCommand({})),
      new CloudFormationClient({}).send(new DescribeStacksCommand({})),
    ]);
    const names = {
      stacks: stacks.Stacks?.map(({ StackName }) => StackName),
      tables: tables.TableNames,
      buckets: buckets.Buckets?.map(({ Name }) => Name),
      queues: queues.QueueUrls?.map((url) => url.split('/').at(-1)),
      functions: await this.#names('lambda', '/2015-03-31/functions/', 'FunctionName'),
      apis: await this.#names('apigateway', '/restapis', 'name'),
      userPools: await this.#asked(
        'cognito-idp',
        'AWSCognitoIdentityProviderService.ListUserPools',
        { MaxResults: 60 },
        'Name',
      ),
      rules: await this.#asked('events', 'AWSEvents.ListRules', {}, 'Name'),
      roles: await this.#roles(),
    };
    const prefixes = Object.values(stackNames(tenant)).map((stack) => stack.toLowerCase());
    const isOfTenant = (name: unknown) =>
      typeof name === 'string' && prefixes.some((prefix) => name.toLowerCase().startsWith(prefix));
    return Object.fromEntries(kinds.map((kind) => [kind, (names[kind] ?? []).filter(isOfTenant).length])) as Left;
  }

  /** Sets the state of an alarm, until its metric says otherwise. */
  async setAlarm(AlarmName: string, StateValue: 'ALARM' | 'OK'): Promise<void> {
    const alarm = { AlarmName, StateValue, StateReason: 'A test.' };
    await this.#asked('monitoring', 'GraniteServiceVersion20100801.SetAlarmState', alarm, '');
  }

  async #names(service: string, place: string, field: string): Promise<unknown[]> {
    return fieldsNamed(await (await fetch(this.#endpoint + place, { headers: signedFor(service) })).json(), field);
  }

  async #asked(service: string, target: string, body: object, field: string): Promise<unknown[]> {
    const headers = { ...signedFor(service), 'x-amz-target': target, 'content-type': 'application/x-amz-json-1.1' };
    const response = await fetch(this.#endpoint, { method: 'POST', headers, body: JSON.stringify(body) });
    return fieldsNamed(await response.json(), field);
  }

  async #roles(): Promise<unknown[]> {
    const body = new URLSearchParams({ Action: 'ListRoles', Version: '2010-05-08' });
    const text = await (await fetch(this.#endpoint, { method: 'POST', headers: signedFor('iam'), body })).text();
    return [...text.matchAll(/<RoleName>([^<]+)<\/RoleName>/g)].map(([, name]) => name);
  }
}

/** The emulator tells services apart by whom a signature is for, and does not check it. */
const signedFor = (service: string) => ({
  authorization: `AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=0`,
});

function fieldsNamed(value: unknown, field: string): unknown[] {
  if (Array.isArray(value)) return value.flatMap((one) => fieldsNamed(one, field));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => (key === field ? [one] : fieldsNamed(one, field)));
}
