/** Names a scope by its owner, not by the owner's id: `warehouse dbt-project shop-dbt`. Any other name stays. */
export function scopeName(key: string, owners: ReadonlyMap<string, string>): string {
  const [kind, id = '', ...own] = key.split(':');
  if ((kind !== 'connector' && kind !== 'provider') || own.length === 0) return key;
  // What is after a provider's id names a job, which may hold colons.
  return [owners.get(id), own.join(kind === 'connector' ? ' ' : ':')].filter(Boolean).join(' ');
}
