import { createHash } from 'node:crypto';

type ManifestSize = {
  readonly models: number;
  /** Of each model, in bytes: the statement, and what is no lineage. */
  readonly sqlBytes: number;
  readonly noteBytes: number;
  /** In layers each model reads two of the layer before; else of the ten models before it, so that each has nearly all downstream. */
  readonly layers?: number | undefined;
};

/** A dbt manifest whose texts do not compress to less than half. */
export function modelsManifest({ models, sqlBytes, noteBytes, layers }: ManifestSize) {
  const width = Math.ceil(models / (layers ?? 1));
  const nodes = Array.from({ length: models }, (_, n) => {
    const before = width * (Math.floor(n / width) - 1);
    const read = layers === undefined ? [n - 1, n - 10] : [n - width, before + ((n * 7) % width)];
    const reads = [...new Set(read)].filter((one) => one >= 0);
    return [idOf(n), modelOf(n, reads, { sqlBytes, noteBytes })] as const;
  });
  return { metadata: { adapter_type: 'postgres', project_name: 'big' }, nodes: Object.fromEntries(nodes), sources: {} };
}

export type ModelsManifest = ReturnType<typeof modelsManifest>;

export const idOf = (n: number): string => `model.big.m${n}`;
export const relationOf = (n: number): string => `crm.core.m${n}`;

/** The manifest with the statement of one model reading a column less. */
export function withLessRead(manifest: ModelsManifest, n: number): ModelsManifest {
  const model = manifest.nodes[idOf(n)];
  if (!model) throw new Error('no such model');
  const compiled_code = model.compiled_code.replace('a.v + b.v', 'a.v');
  return { ...manifest, nodes: { ...manifest.nodes, [idOf(n)]: { ...model, compiled_code } } };
}

function modelOf(n: number, reads: readonly number[], size: Omit<ManifestSize, 'models'>) {
  const [first = null, second = null] = reads;
  const from = first === null ? '' : ` from "crm"."core"."m${first}" a`;
  const join = second === null ? '' : ` join "crm"."core"."m${second}" b on a.id = b.id`;
  const value = first === null ? '1' : second === null ? 'a.v + 1' : 'a.v + b.v';
  return {
    resource_type: 'model',
    database: 'crm',
    schema: 'core',
    name: `m${n}`,
    depends_on: { nodes: reads.map(idOf) },
    compiled_code: `select ${first === null ? '1' : 'a.id'} as id, ${value} as v${from}${join} -- ${noise(n, size.sqlBytes)}`,
    description: noise(-n - 1, size.noteBytes),
  };
}

/** Text that no compression makes less than half of; the same of a number each time. */
export function noise(of: number, bytes: number): string {
  const blocks = Array.from({ length: Math.ceil(bytes / 64) }, (_, i) =>
    createHash('sha256').update(`${of} ${i}`).digest('hex'),
  );
  return blocks.join('').slice(0, bytes);
}
