import type { ForgetScopePorts } from '../domain/operations/scopes/forget-scope.ts';
import type { Contribution } from '../domain/sources/openlineage/contribution.ts';
import { runReader } from './dynamodb/graph/runs/runs.ts';
import { registry } from './dynamodb/registry.ts';
import { scopeReader, takeOrder } from './dynamodb/scope-heads.ts';
import type { Table } from './dynamodb/table.ts';
import type { Bucket } from './s3/bucket.ts';
import { listingReader } from './s3/listings.ts';

type ScopeStores = Pick<ForgetScopePorts, 'registry' | 'runs' | 'takeOrder'> & {
  readonly scopes: ReturnType<typeof scopeReader>;
};

/** What a scope is forgotten with, over the table and the bucket of listings. */
export const scopeForgetter = (table: Table, bucket: Bucket): ScopeStores => ({
  registry: registry(table),
  scopes: scopeReader(table, listingReader(bucket)),
  runs: runReader<Contribution>(table),
  takeOrder: (workspace, { scope, scopeKey, kind, providerType, providerInstanceId }) =>
    takeOrder(table, workspace, { scope, scopeKey, kind, providerType, providerInstanceId }, true),
});
