import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { awsEnvironment } from '../../local/emulators/environment.ts';
import { Recorded, readRequests } from './models.ts';

const Text = v.optional(v.string());

/** A call of an operation of AWS, by the function or the command that made it. */
export type Call = {
  readonly caller: string;
  readonly service: string;
  readonly operation: string;
  readonly input: unknown;
  /** What the model of the operation refuses. */
  readonly problems: readonly string[];
};

/** What a policy has to allow for a call. */
export type Right = {
  readonly action: string;
  readonly resource: string;
  /** The values of condition keys. */
  readonly context?: Readonly<Record<string, string>>;
};

/** The module that a process has to load first to have its calls recorded in a folder. */
export function recorderOf(folder: string): string {
  const recorder = pathToFileURL(path.join(import.meta.dirname, 'record-calls.ts'));
  recorder.searchParams.set('folder', String(pathToFileURL(folder)));
  return recorder.href;
}

/** The calls in the files of a folder, as `record-calls.ts` writes them. */
export function readCalls(folder: string): Call[] {
  const lines = readdirSync(folder).flatMap((file) => readFileSync(path.join(folder, file), 'utf8').trim().split('\n'));
  const requests = lines.map((line) => v.parse(Recorded, JSON.parse(line)));
  return readRequests(requests).map((read, at) => {
    const { caller = '', service = '' } = requests[at] ?? {};
    return { caller, service, ...read };
  });
}

/** What the models refuse of some calls, each once, with its caller. */
export const problemsOf = (calls: readonly Call[]): string[] => [
  ...new Set(calls.flatMap(({ caller, problems }) => problems.map((one) => `${caller}: ${one}`))),
];

const arn = (service: string, resource: string): string =>
  `arn:aws:${service}:${awsEnvironment.region}:${awsEnvironment.account}:${resource}`;

/** What IAM requires for a call, by the service authorization reference of AWS. */
export function rightsFor({ service, operation, input }: Pick<Call, 'service' | 'operation' | 'input'>): Right[] {
  switch (service) {
    case 'dynamodb':
      return tableRights(operation, input);
    case 's3':
      return objectRights(operation, v.parse(ObjectInput, input));
    case 'sqs': {
      const { QueueUrl } = v.parse(v.object({ QueueUrl: v.string() }), input);
      return [
        { action: `sqs:${operation.replace(/Batch$/, '')}`, resource: arn('sqs', QueueUrl.split('/').at(-1) ?? '') },
      ];
    }
    case 'secretsmanager': {
      const { Name, SecretId = Name } = v.parse(v.object({ Name: Text, SecretId: Text }), input);
      // AWS adds six characters to the name.
      return [{ action: `secretsmanager:${operation}`, resource: arn('secretsmanager', `secret:${SecretId}-AbCdEf`) }];
    }
    case 'firehose': {
      const { DeliveryStreamName } = v.parse(v.object({ DeliveryStreamName: v.string() }), input);
      return [{ action: `firehose:${operation}`, resource: arn('firehose', `deliverystream/${DeliveryStreamName}`) }];
    }
    case 'athena': {
      const { WorkGroup } = v.parse(v.object({ WorkGroup: v.string() }), input);
      return [{ action: `athena:${operation}`, resource: arn('athena', `workgroup/${WorkGroup}`) }];
    }
    default:
      throw new Error(`What IAM requires for ${service}:${operation} is not known.`);
  }
}

const Key = v.optional(v.looseObject({ pk: v.optional(v.object({ S: v.string() })) }));
const OneTable = v.object({ TableName: v.string(), IndexName: Text, Key, Item: Key });
const Tables = v.object({ RequestItems: v.record(v.string(), v.unknown()) });
const Transacted = v.object({ TransactItems: v.array(v.record(v.string(), OneTable)) });
const Statements = v.object({ Statements: v.array(v.object({ Statement: v.string() })) });
const transactedActions = {
  ConditionCheck: 'ConditionCheckItem',
  Delete: 'DeleteItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
};
const statementActions = {
  DELETE: 'PartiQLDelete',
  INSERT: 'PartiQLInsert',
  SELECT: 'PartiQLSelect',
  UPDATE: 'PartiQLUpdate',
};

/** A transaction, and a batch of statements, need the rights of their parts. */
function tableRights(operation: string, input: unknown): Right[] {
  if (operation === 'TransactWriteItems')
    return v
      .parse(Transacted, input)
      .TransactItems.flatMap((parts) =>
        Object.entries(parts).map(([part, one]) => tableRight(actionOf(transactedActions, part), one)),
      );
  if (operation === 'BatchExecuteStatement')
    return v.parse(Statements, input).Statements.map(({ Statement }) => {
      const [, kind = '', TableName = ''] = /^(\w+) (?:INTO |FROM )?"([^"]+)"/.exec(Statement) ?? [];
      return tableRight(actionOf(statementActions, kind), { TableName });
    });
  if (operation.startsWith('Batch'))
    return Object.keys(v.parse(Tables, input).RequestItems).map((TableName) => tableRight(operation, { TableName }));
  return [tableRight(operation, v.parse(OneTable, input))];
}

function actionOf(actions: Readonly<Record<string, string>>, kind: string): string {
  const action = actions[kind];
  if (action === undefined) throw new Error(`No action of DynamoDB is known for ${kind}.`);
  return action;
}

function tableRight(
  action: string,
  { TableName, IndexName, Key, Item }: Partial<v.InferOutput<typeof OneTable>>,
): Right {
  const resource = arn('dynamodb', `table/${TableName}${IndexName === undefined ? '' : `/index/${IndexName}`}`);
  const partition = (Key ?? Item)?.pk?.S;
  return {
    action: `dynamodb:${action}`,
    resource,
    ...(partition !== undefined && { context: { 'dynamodb:LeadingKeys': partition } }),
  };
}

const ObjectInput = v.object({ Bucket: v.string(), Key: Text, CopySource: Text });

/** Listing is a right of the bucket, the others are of an object. A copy reads one object and writes another. */
function objectRights(operation: string, { Bucket, Key, CopySource }: v.InferOutput<typeof ObjectInput>): Right[] {
  const right = (action: string, name: string) => ({ action: `s3:${action}`, resource: `arn:aws:s3:::${name}` });
  if (operation === 'ListObjectsV2') return [right('ListBucket', Bucket)];
  const object = `${Bucket}/${Key}`;
  if (CopySource === undefined) return [right(operation, object)];
  const source = decodeURIComponent(CopySource).replace(/^\//, '');
  return [right('GetObject', source), right('PutObject', object)];
}
