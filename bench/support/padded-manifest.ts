const modelBytes = 64 * 1_024;

/** A dbt manifest of about this many bytes: a chain of models whose statements are mostly comments. */
export function paddedManifest(bytes: number) {
  const names = Array.from({ length: Math.max(2, Math.ceil(bytes / modelBytes)) }, (_, n) => `m${n}`);
  const padding = `-- ${'0123456789abcdef'.repeat(modelBytes / 16)}`;
  return {
    metadata: { adapter_type: 'postgres' },
    nodes: Object.fromEntries(names.map((name, n) => [`model.${name}`, modelOf(name, names[n - 1], padding)])),
    sources: {},
  };
}

const modelOf = (name: string, before: string | undefined, padding: string) => ({
  resource_type: 'model',
  database: 'crm',
  schema: 'core',
  name,
  depends_on: { nodes: before === undefined ? [] : [`model.${before}`] },
  compiled_code: `select a, b from ${before ?? 'origin'}`,
  description: padding,
});
