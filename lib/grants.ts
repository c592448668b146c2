import type { QueueName, SecretKind } from '../shared/contract/stack-outputs.ts';

type TableAction =
  | 'BatchGetItem'
  | 'GetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'BatchWriteItem'
  | 'ConditionCheckItem'
  | 'PartiQLInsert'
  | 'PartiQLUpdate'
  | 'PartiQLDelete';
type SecretAction = 'GetSecretValue' | 'CreateSecret' | 'DeleteSecret';
type ObjectAction = 'GetObject' | 'PutObject' | 'DeleteObject';

/**
 * What a function may do with a store; being allowed to also tells it the store's name, by its environment. A test
 * compares it with the commands that are left in the function's bundle.
 */
export type Grants = {
  readonly table?: readonly TableAction[];
  /** The only partition of the table that it reaches; it then reaches no index. */
  readonly partition?: string;
  readonly eventLedger?: readonly TableAction[];
  readonly raw?: readonly ObjectAction[];
  /** The prefix of the raw bucket's only objects that it may put. */
  readonly rawPuts?: string;
  readonly lake?: readonly ObjectAction[];
  /** The prefix of the lake's objects that it may delete; by default the staged ones. */
  readonly lakeDeletes?: readonly string[];
  readonly sends?: readonly QueueName[];
  /** Puts events into the stream of a tenant that has one. */
  readonly streams?: true;
  /** The queue whose messages it works. */
  readonly fedBy?: QueueName;
  /** Secrets of one kind, under the tenant's prefix. */
  readonly secrets?: { readonly of: SecretKind; readonly actions: readonly SecretAction[] };
  readonly signIn?: true;
  readonly tellsSignIn?: true;
  readonly asksApi?: true;
  readonly pages?: true;
};
