import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { awsEnvironment } from '../../local/emulators/environment.ts';

const Recorded = v.object({
  caller: v.string(),
  method: v.string(),
  path: v.string(),
  headers: v.record(v.string(), v.unknown()),
  body: v.optional(v.string()),
});

const Text = v.optional(v.string());

/** A call of an operation of AWS, by the function that made it. Inputs of S3 are in `path` and `headers`. */
export type Call = {
  readonly caller: string;
  readonly service: 'dynamodb' | 's3' | 'secretsmanager' | 'sqs';
  readonly operation: string;
  readonly input: unknown;
};

/** What a policy has to allow for a call. */
export type Right = { readonly action: string; readonly resource: string; readonly leadingKey?: string | undefined };

const services = { AmazonSQS: 'sqs', DynamoDB_20120810: 'dynamodb', secretsmanager: 'secretsmanager' } as const;

/** The calls in the files of a folder, as `record-calls.ts` writes them. */
export function readCalls(folder: string): Call[] {
  const lines = readdirSync(folder).flatMap((file) => readFileSync(path.join(folder, file), 'utf8').trim().split('\n'));
  return lines.map((line) => callOf(v.parse(Recorded, JSON.parse(line))));
}

const Target = v.pipe(v.string(), v.regex(/^\w+\.\w+$/));

function callOf({ caller, method, path: at, headers, body = '' }: v.InferOutput<typeof Recorded>): Call {
  const target = headers['x-amz-target'];
  if (target === undefined) return { caller, service: 's3', ...objectCall(method, at, headers) };
  const [prefix = '', operation = ''] = v.parse(Target, target).split('.');
  const service = new Map(Object.entries(services)).get(prefix);
  if (service === undefined) throw new Error(`No service has the prefix ${prefix}.`);
  return { caller, service, operation, input: JSON.parse(body) };
}

/** The SDK names most operations of objects in the query. */
function objectCall(method: string, at: string, headers: object) {
  const query = new URLSearchParams(at.split('?')[1]);
  const operation = query.get('x-id') ?? (method === 'GET' && query.has('list-type') ? 'ListObjectsV2' : null);
  if (operation === null) throw new Error(`No operation of S3 is known for ${method} ?${[...query.keys()]}.`);
  return { operation, input: { path: at, headers } };
}

const arn = (service: string, resource: string): string =>
  `arn:aws:${service}:${awsEnvironment.region}:${awsEnvironment.account}:${resource}`;

/** What IAM asks for a call, by the service authorization reference of AWS. */
export function rightsFor({ service, operation, input }: Call): Right[] {
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

/** A transaction and a batch of statements have the rights of their parts. */
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
  return { action: `dynamodb:${action}`, resource, leadingKey: (Key ?? Item)?.pk?.S };
}

const ObjectInput = v.object({ path: v.string(), headers: v.object({ 'x-amz-copy-source': Text }) });

/** Listing is a right of the bucket, the others are of an object. A copy reads one object and writes another. */
function objectRights(operation: string, { path: at, headers }: v.InferOutput<typeof ObjectInput>): Right[] {
  const [, bucket = '', key = ''] = /^\/?([^/?]+)\/?([^?]*)/.exec(at) ?? [];
  const right = (action: string, name: string) => ({ action: `s3:${action}`, resource: `arn:aws:s3:::${name}` });
  if (operation === 'ListObjectsV2') return [right('ListBucket', bucket)];
  const object = `${bucket}/${decodeURIComponent(key)}`;
  if (operation !== 'CopyObject') return [right(operation, object)];
  const source = decodeURIComponent(headers['x-amz-copy-source'] ?? '').replace(/^\//, '');
  return [right('GetObject', source), right('PutObject', object)];
}
