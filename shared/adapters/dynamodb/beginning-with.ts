import type { Key } from './keys/key.ts';

/** After every character of a text: a code point that none holds. */
const last = '\u{10FFFF}';

/**
 * What asks a query for the items of a partition whose sort keys begin with that of the key, of the table or of an index.
 * A range, and not `begins_with`: for that the embedded emulator looks at every key of the partition, and takes upper case
 * for lower (ADR 20).
 */
export const beginningWith = ({ pk, sk }: Key, index?: 'gsi1') => ({
  ...(index && { IndexName: index }),
  KeyConditionExpression: `${index ?? ''}pk = :pk AND ${index ?? ''}sk BETWEEN :first AND :last`,
  ExpressionAttributeValues: { ':pk': { S: pk }, ':first': { S: sk }, ':last': { S: sk + last } },
});
