import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import canonicalize from 'canonicalize';
import { itemsOf } from './run-stores.ts';

/** Attributes that only hold times, attempts or write stamps. */
const passing = new Set(['w', 'ttl', 'horizon', 'attempts', 'resends', 'seq', 'gsi1sk', 'gsi2sk', 'duplicate_count']);
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
/** Orders are counted up, and one that was taken by a request that failed is left out. */
const order = /0{10}\d{12}/g;

/** The items of a table as lines, equal for runs that differ only in times, attempts and skipped orders. */
export async function storedState(client: DynamoDBClient, table: string): Promise<readonly string[]> {
  const texts = (await itemsOf(client, table)).map(textOf).filter((text) => text !== null);
  const orders = [...new Set(texts.flatMap((text) => text.match(order) ?? []))].sort();
  const ranks = new Map(orders.map((one, rank) => [one, `order-${rank}`]));
  return texts.map((text) => text.replaceAll(order, (one) => ranks.get(one) ?? one)).sort();
}

function textOf(item: Record<string, AttributeValue>): string | null {
  const { pk, sk, ...rest } = unmarshall(item);
  // Who did what, and how far the sweep has come.
  if (String(pk).endsWith('#AUDIT') || String(sk).startsWith('SWEEP#')) return null;
  const retained = Object.fromEntries(Object.entries(rest).filter(([name]) => !passing.has(name)));
  return `${pk} ${sk} ${canonicalize(retained)}`.replaceAll(time, 'time');
}
