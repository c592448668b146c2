import { readFile } from 'node:fs/promises';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import type { Table } from '../shared/adapters/dynamodb/requests/table.ts';
import type { Bucket } from '../shared/adapters/s3/bucket.ts';
import { icebergWorkGroup } from '../shared/contract/lake.ts';
import { Fault } from '../shared/contract/problems.ts';
import {
  accessKeysOf,
  icebergOutput,
  LocalStores,
  StoreNames,
  signInOutputs,
  stackNames,
  stackOutputs,
} from '../shared/contract/stack-outputs.ts';

/** Which deployment is meant: the local service that wrote the file, or a tenant's stack in the AWS account. */
export type Target = { readonly credentials?: string | undefined; readonly tenant?: string | undefined };

type Clients = {
  readonly dynamodb: DynamoDBClient;
  readonly s3: S3Client;
  readonly sqs: SQSClient;
  readonly names: v.InferOutput<typeof StoreNames>;
};

export type Connection = Clients & {
  readonly table: Table;
  readonly eventTable: Table;
  readonly rawBucket: Bucket;
  readonly lakeBucket: Bucket;
  /** The Iceberg tables of events; null if the tenant has none. A local service has no Athena. */
  readonly iceberg: { readonly database: string; readonly workGroup: string } | null;
  /** True of a service on this machine, whose counts are exact. */
  readonly local: boolean;
};

/** Reaches the stores of a deployment. Throws where neither or both are named. */
export async function connect({ credentials, tenant }: Target): Promise<Connection> {
  if ((credentials === undefined) === (tenant === undefined))
    throw new Fault('stores_not_named', 'Pass --credentials FILE or --tenant NAME.');
  return credentials === undefined ? connectTenant(tenant ?? '') : connectLocal(credentials);
}

const CredentialsFile = v.object({ local: LocalStores });

async function connectLocal(file: string): Promise<Connection> {
  const { local } = v.parse(CredentialsFile, JSON.parse(await readFile(file, 'utf8')));
  const { region, endpoints, access_key_id, secret_access_key, ...names } = local;
  const common = { region, credentials: accessKeysOf({ access_key_id, secret_access_key }) };
  const clients = {
    dynamodb: new DynamoDBClient({ ...common, endpoint: endpoints.dynamodb }),
    s3: new S3Client({ ...common, endpoint: endpoints.s3, forcePathStyle: true }),
    sqs: new SQSClient({ ...common, endpoint: endpoints.sqs }),
    names,
  };
  return { ...withStores(clients), iceberg: null, local: true };
}

const withStores = (clients: Clients) => {
  const { dynamodb, s3, names } = clients;
  return {
    ...clients,
    table: { client: dynamodb, name: names.table },
    eventTable: { client: dynamodb, name: names.event_table },
    rawBucket: { client: s3, name: names.raw_bucket },
    lakeBucket: { client: s3, name: names.lake_bucket },
  };
};

export async function signInOf(tenant: string) {
  const { named } = await outputsOf(tenant);
  const outputs = { ...signInOutputs, url: stackOutputs.api };
  return v.parse(v.object({ issuer: v.string(), client: v.string(), url: v.string() }), named(outputs));
}

/** A response about a stack, or null if there is none: CloudFormation documents no other code for it. */
export async function unlessStackIsMissing<T>(response: Promise<T>): Promise<T | null> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof Error && error.name === 'ValidationError') return null;
    throw error;
  }
}

/** The outputs of a tenant's stacks; `named` has them under the caller's names. */
async function outputsOf(tenant: string) {
  const client = new CloudFormationClient({});
  const described = await Promise.all(
    Object.values(stackNames(tenant)).map((StackName) => client.send(new DescribeStacksCommand({ StackName }))),
  );
  const outputs = described.flatMap(({ Stacks = [] }) => Stacks.flatMap((stack) => stack.Outputs ?? []));
  const values = new Map(outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
  const named = (names: Readonly<Record<string, string>>): unknown =>
    Object.fromEntries(Object.entries(names).map(([name, output]) => [name, values.get(output)]));
  return { values, named };
}

async function connectTenant(tenant: string): Promise<Connection> {
  const { values, named } = await outputsOf(tenant);
  const names = v.parse(StoreNames, named(stackOutputs));
  const database = values.get(icebergOutput);
  const iceberg = database === undefined ? null : { database, workGroup: icebergWorkGroup(tenant) };
  const clients = { dynamodb: new DynamoDBClient({}), s3: new S3Client({}), sqs: new SQSClient({}), names };
  return { ...withStores(clients), iceberg, local: false };
}
