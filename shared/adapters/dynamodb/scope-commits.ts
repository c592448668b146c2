import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { WorkspaceId } from '../../contract/ids.ts';
import type { ScopeId } from '../../domain/graph/ids.ts';
import { type Order, zeroOrder } from '../../domain/graph/order.ts';
import type { Commit, ScopeStore } from '../../domain/graph/scope-store.ts';
import { attributes } from './delivery-item.ts';
import { scopeHeadKey, scopeOrderKey } from './keys/graph-keys.ts';
import { claimsEnded, endItem, endsNothing } from './scope-ends.ts';
import { headOf } from './scope-head-item.ts';
import type { Table } from './table.ts';
import { transact, transactedUpdate } from './transact.ts';
import { updateItem } from './update-item.ts';

type OfScope = { readonly workspace: WorkspaceId; readonly scope: ScopeId };

/** How orders begin and take effect. */
export const scopeCommits = (table: Table): Pick<ScopeStore, 'begin' | 'commit' | 'commitUnchanged'> => ({
  begin: (workspace, scope, order) => begin(table, { workspace, scope }, order),
  commit: (workspace, scope, commit) => commitOrder(table, { workspace, scope }, commit),
  // `started = order`: a partial delivery since the last commit would otherwise survive the snapshot.
  commitUnchanged: async (workspace, scope, { order, digest, at, deliveryId }) => {
    const { refused } = await updateItem(table, scopeHeadKey(workspace, scope), {
      UpdateExpression: 'SET #order = :o, started = :o, committed_at = :at, restated_by = :by ADD version :one',
      ConditionExpression: '#order < :o AND digest = :d AND started = #order',
      ExpressionAttributeNames: { '#order': 'order' },
      ExpressionAttributeValues: attributes({ ':o': order, ':d': digest, ':at': at, ':by': deliveryId, ':one': 1 }),
    });
    return refused === null;
  },
});

async function begin(table: Table, { workspace, scope }: OfScope, order: Order) {
  const key = scopeHeadKey(workspace, scope);
  const isOpen = '(attribute_not_exists(#order) OR #order < :o)';
  const common = {
    ExpressionAttributeNames: { '#order': 'order' },
    ExpressionAttributeValues: attributes({ ':o': order, ':one': 1 }),
    ReturnValues: 'ALL_NEW' as const,
  };
  const newest = await updateItem(table, key, {
    ...common,
    UpdateExpression: 'SET started = :o ADD version :one',
    ConditionExpression: `${isOpen} AND (attribute_not_exists(started) OR started <= :o)`,
  });
  if (newest.item) return headOf(newest.item);
  const older = await updateItem(table, key, {
    ...common,
    UpdateExpression: 'ADD version :one',
    ConditionExpression: isOpen,
  });
  return older.item && headOf(older.item);
}

/** The head, the time in the order's record, and what ends with it: readers never know one without the others. */
async function commitOrder(table: Table, { workspace, scope }: OfScope, commit: Commit): Promise<boolean> {
  const { order, at, content, end, against } = commit;
  const floor = against === null ? order : (end?.floor ?? zeroOrder);
  return transact(table, [
    transactedUpdate(
      table,
      scopeHeadKey(workspace, scope),
      against === null ? raised(commit) : changed(commit, against),
    ),
    transactedUpdate(table, scopeOrderKey(workspace, scope, order), {
      UpdateExpression: 'SET effective_at = :at, #floor = :floor',
      ConditionExpression: 'content = :content',
      ExpressionAttributeNames: { '#floor': 'floor' },
      ExpressionAttributeValues: attributes({ ':at': at, ':content': content, ':floor': floor }),
    }),
    ...(end === null || endsNothing(end) ? [] : [endItem(table, { workspace, scope }, end)]),
  ]);
}

type HeadUpdate = Omit<NonNullable<TransactWriteItem['Update']>, 'TableName' | 'Key'>;

/** What `end` says must hold: an order that took effect since would be missing from history. */
const continues =
  '(listed = :before OR ((attribute_not_exists(#floor) OR #floor = :before) AND (attribute_not_exists(listed) OR listed < #floor)))';

/** Everything older than the order is dead. */
const raised = ({ order, digest, at, end }: Commit): HeadUpdate => ({
  UpdateExpression: `SET #order = :o, #floor = :o, listed = :o, committed_at = :at${digest === null ? '' : ', digest = :d'} REMOVE removed_at, change_orders, change_removals${digest === null ? ', digest' : ''} ADD version :one`,
  ConditionExpression: `(attribute_not_exists(#order) OR #order < :o)${end === null ? '' : ` AND ${continues}`}`,
  ExpressionAttributeNames: { '#order': 'order', '#floor': 'floor' },
  ExpressionAttributeValues: attributes({
    ':o': order,
    ':at': at,
    ':one': 1,
    ...(digest !== null && { ':d': digest }),
    ...(end !== null && { ':before': end.before }),
  }),
});

/** What is not removed by name lives on: the scope must be as it was when the change was made. */
function changed({ order, digest, at, end }: Commit, against: number): HeadUpdate {
  const removals = end ? claimsEnded(end) : 0;
  const sets = [
    '#order = :o, listed = :o, committed_at = :at',
    ...(digest === null ? [] : ['digest = :d']),
    ...(removals === 0 ? [] : ['removed_at = :o']),
  ];
  return {
    UpdateExpression: `SET ${sets.join(', ')} ADD version :one, change_orders :one, change_removals :removals${digest === null ? ' REMOVE digest' : ''}`,
    ConditionExpression: 'version = :against AND #order < :o',
    ExpressionAttributeNames: { '#order': 'order' },
    ExpressionAttributeValues: attributes({
      ':o': order,
      ':at': at,
      ':one': 1,
      ':removals': removals,
      ':against': against,
      ...(digest !== null && { ':d': digest }),
    }),
  };
}
