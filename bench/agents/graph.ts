/** A node's relation, and what it reads. */
export type KnownGraph = ReadonlyMap<string, readonly string[]>;

export const layerSize = 200;
const layers = 10;
/** Readers of the two hubs: one within the nodes of an answer, one beyond. */
const hubReaders = { hub: 450, wide: 900 } as const;

export const tableOf = (n: number): string => `big.s${n % 10}.m${n}`;

/** A dbt manifest of 2,000 relations in layers, each of which reads two of the layer before, and of two hubs. */
export function generatedManifest() {
  const nodes = Object.fromEntries(
    Array.from({ length: layers * layerSize }, (_, n) => [idOf(tableOf(n)), modelOf(tableOf(n), readsOf(n))]),
  );
  const hubs = Object.fromEntries(
    Object.keys(hubReaders).map((name) => [idOf(`big.core.${name}`), modelOf(`big.core.${name}`, [])]),
  );
  return { metadata: { adapter_type: 'postgres', project_name: 'big' }, nodes: { ...nodes, ...hubs }, sources: {} };
}

export const generatedGraph = (): KnownGraph => {
  const models = Array.from({ length: layers * layerSize }, (_, n) => [tableOf(n), readsOf(n)] as const);
  return new Map([...models, ...Object.keys(hubReaders).map((name) => [`big.core.${name}`, []] as const)]);
};

function readsOf(n: number): readonly string[] {
  const [layer, place] = [Math.floor(n / layerSize), n % layerSize];
  const before = (one: number) => tableOf((layer - 1) * layerSize + (one % layerSize));
  return [
    ...(layer === 0 ? [] : [before(place), before(place + 1)]),
    ...(n >= 1_000 && n < 1_000 + hubReaders.hub ? ['big.core.hub'] : []),
    ...(n >= layerSize && n < layerSize + hubReaders.wide ? ['big.core.wide'] : []),
  ];
}

const idOf = (relation: string): string => `model.big.${relation.split('.').at(-1)}`;

function modelOf(relation: string, reads: readonly string[]) {
  const [database = '', schema = '', name = ''] = relation.split('.');
  const values = reads.map((_, i) => `t${i}.v`).join(' + ') || '1';
  const from = reads.map(
    (read, i) => `${i === 0 ? 'from' : 'join'} ${read} t${i}${i === 0 ? '' : ` on t0.id = t${i}.id`}`,
  );
  return {
    ...{ resource_type: 'model', database, schema, name },
    depends_on: { nodes: reads.map(idOf) },
    compiled_code: `select ${reads.length > 0 ? 't0.id' : '1'} as id, ${values} as v ${from.join(' ')}`,
  };
}

/** The relations at each distance from one, by the declarations only: what the service has to agree with. */
export function reached(graph: KnownGraph, root: string, side: 'upstream' | 'downstream', depth = 5): string[][] {
  const seen = new Set([root]);
  const steps: string[][] = [];
  for (let last = [root]; steps.length < depth && last.length > 0; ) {
    const beside = (one: string) =>
      side === 'upstream'
        ? (graph.get(one) ?? [])
        : [...graph].flatMap(([name, reads]) => (reads.includes(one) ? [name] : []));
    last = [...new Set(last.flatMap(beside))].filter((one) => !seen.has(one));
    for (const one of last) seen.add(one);
    if (last.length > 0) steps.push(last);
  }
  return steps;
}
