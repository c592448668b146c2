import { createHash } from 'node:crypto';

const subjects = ['customer', 'order', 'product', 'store', 'payment', 'session', 'account', 'invoice'];
const properties = ['id', 'name', 'created_at', 'updated_at', 'amount', 'status', 'count', 'type'];
/** Columns that hardly any other relation has have a number. */
const rare = 2_000;

/** Eight columns of a relation: those of a warehouse are mostly common names. */
export function columnNames(relation: string): string[] {
  const digest = createHash('sha256').update(relation).digest();
  const common = Array.from({ length: 7 }, (_, i) => {
    const [subject = 0, property = 0] = digest.subarray(2 * i);
    return `${subjects[subject % subjects.length]}_${properties[property % properties.length]}`;
  });
  return [...new Set([...common, `feature_${digest.readUInt16BE(14) % rare}`])];
}
