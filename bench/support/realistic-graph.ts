import { createHash } from 'node:crypto';
import type { ConnectorId } from '../../shared/contract/ids.ts';
import type { Derivation } from '../../shared/domain/lineage/graph/derivation.ts';
import { type Node, type Urn, urnOf } from '../../shared/domain/lineage/graph/node.ts';
import type { RelationSchema } from '../../shared/domain/lineage/graph/schema.ts';
import { randomFloats } from './random-floats.ts';

/** What one source states: the models of a project, or the jobs of a scheduler that are observed run by run. */
export type Source = {
  readonly name: string;
  readonly kind: 'project' | 'scheduler';
  readonly models: readonly Model[];
  /** The columns of the relations that the source describes; empty if its schemas are left out. */
  readonly described: ReadonlyMap<string, readonly string[]>;
};
type Model = {
  readonly output: string;
  readonly inputs: readonly string[];
  readonly mappings: readonly Mapping[];
};
type Mapping = { readonly input: string; readonly inputColumn: string; readonly outputColumn: string };

/** Shares of a warehouse's relations by layer, how many relations a model of the layer reads, and whose. */
const layers = [
  { name: 'raw', share: 0.25, reads: [0, 0] },
  { name: 'staging', share: 0.25, reads: [1, 2] },
  { name: 'intermediate', share: 0.25, reads: [2, 4] },
  { name: 'mart', share: 0.25, reads: [3, 7] },
] as const;

/**
 * The first project is the warehouse's own; the others are of teams. Each has this many relations at most: the document of
 * the largest states some 100,000 edges.
 */
const [largestShare, mostOfLargest] = [0.42, 42_000];
const [teamShare, mostOfTeam] = [0.1, 10_000];
/** One source in this many is a scheduler, whose jobs are fewer than a team's models. */
const [schedulers, schedulerShare] = [5, 0.2];
/** Dimensions that every team reads: dates, customers, currencies. */
const shared = ['dim_date', 'dim_customer', 'dim_product', 'dim_currency'];
/** Of marts, how many read a shared dimension; of other reads, how many cross to another project. */
const [readsShared, crosses] = [0.3, 0.03];
const columns = ['id', 'name', 'amount', 'created_at', 'status', 'customer_id'];

export const hubRef = (): string => sharedRef('dim_date');
const sharedRef = (name: string): string => `warehouse.shared.${name}`;
export const refOf = (project: number, layer: number, i: number): string =>
  `warehouse.p${project}_${layers[layer]?.name ?? ''}.t${i}`;

export const isScheduler = (source: number): boolean => source % schedulers === 1;

/** How the relations of a graph are spread over sources. */
export function sourceSizes(relations: number): number[] {
  const sizes = [Math.min(mostOfLargest, Math.round(relations * largestShare))];
  const team = Math.min(mostOfTeam, Math.ceil(relations * teamShare));
  for (let left = relations - (sizes[0] ?? 0); left > 0; ) {
    const size = Math.min(left, isScheduler(sizes.length) ? Math.ceil(team * schedulerShare) : team);
    sizes.push(size);
    left -= size;
  }
  return sizes;
}

/**
 * The sources of a warehouse of this many relations, one at a time: the same seed gives the same graph. With `columnsEach`
 * every source describes its relations with as many columns, and a model's columns each come from one or two others.
 * Without, no source has schemas, and what a model has of six columns it takes from each relation that it reads.
 */
export function* realisticSources(relations: number, seed: number, columnsEach = 0): Generator<Source> {
  const sizes = sourceSizes(relations);
  for (const project of sizes.keys()) {
    const random = randomFloats(seed * 65_537 + project);
    const kind = isScheduler(project) ? 'scheduler' : 'project';
    const models = [...modelsOf(project, sizes, random, columnsEach)];
    yield { name: `p${project}`, kind, models, described: describedBy(project, sizes, columnsEach) };
  }
}

function* modelsOf(
  project: number,
  sizes: readonly number[],
  random: () => number,
  columnsEach: number,
): Generator<Model> {
  for (let layer = 1; layer < layers.length; layer++)
    for (let i = 0; i < countIn(sizes[project] ?? 0, layer); i++) {
      const [output, inputs] = [refOf(project, layer, i), [...new Set(readsOf({ project, layer }, sizes, random))]];
      const picked = pickColumns(random);
      yield { output, inputs, mappings: columnsEach ? selected(output, inputs, columnsEach) : passed(inputs, picked) };
    }
}

const countIn = (size: number, layer: number): number => Math.max(1, Math.floor(size * (layers[layer]?.share ?? 0)));

type Place = { readonly project: number; readonly layer: number };

function* readsOf({ project, layer }: Place, sizes: readonly number[], random: () => number): Generator<string> {
  const [least, most] = layers[layer]?.reads ?? [0, 0];
  const count = least + Math.floor(random() * (most - least + 1));
  for (let i = 0; i < count; i++) {
    const from = random() < crosses ? Math.floor(random() * sizes.length) : project;
    // Most reads are of the layer above, some skip one.
    const above = Math.max(0, layer - (random() < 0.8 ? 1 : 2));
    yield refOf(from, above, popular(countIn(sizes[from] ?? 0, above), random));
  }
  if (layer === layers.length - 1 && random() < readsShared)
    yield sharedRef(shared[Math.floor(random() * random() * shared.length)] ?? '');
}

/** A few relations are read by many, most by one or two: a power law. */
const popular = (count: number, random: () => number): number =>
  random() < 0.3 ? Math.floor(count * random() ** 6) : Math.floor(count * random());

const pickColumns = (random: () => number): string[] => columns.filter(() => random() < 0.5);

const passed = (inputs: readonly string[], names: readonly string[]): Mapping[] =>
  inputs.flatMap((input) => names.map((name) => ({ input, inputColumn: name, outputColumn: name })));

/** Every column comes from one input, every third from two. */
const selected = (output: string, inputs: readonly string[], columnsEach: number): Mapping[] =>
  columnsOf(output, columnsEach).flatMap((outputColumn, i) =>
    [...new Set([inputs[i % inputs.length], ...(i % 3 === 0 ? [inputs[(i + 1) % inputs.length]] : [])])].flatMap(
      (input = '') => {
        const inputColumn = columnsOf(input, columnsEach)[i % columnsEach];
        return inputColumn === undefined ? [] : [{ input, inputColumn, outputColumn }];
      },
    ),
  );

/** Mostly common names; the last is rare. */
export const columnsOf = (ref: string, columnsEach: number): string[] => columnNames(ref).slice(-columnsEach);

function describedBy(project: number, sizes: readonly number[], columnsEach: number): Source['described'] {
  if (columnsEach === 0) return new Map();
  const own = layers.flatMap((_, layer) =>
    Array.from({ length: countIn(sizes[project] ?? 0, layer) }, (_, i) => refOf(project, layer, i)),
  );
  const refs = project === 0 ? [...own, ...shared.map(sharedRef)] : own;
  return new Map(refs.map((ref) => [ref, columnsOf(ref, columnsEach)]));
}

/** What a project's document comes to once it is read. */
export function derivationsOf({ models }: Source, connectorId: ConnectorId): Derivation[] {
  const relation = (ref: string): Node => ({ kind: 'relation', connectorId, ref });
  const how = { type: 'DIRECT', masking: false } as const;
  return models.map(({ output, inputs, mappings }) => ({
    output: relation(output),
    inputs: inputs.map(relation),
    columns: mappings.map(({ input, inputColumn, outputColumn }) => ({
      ...how,
      inputColumn,
      outputColumn,
      subtype: inputColumn === outputColumn ? 'IDENTITY' : 'TRANSFORMATION',
      input: relation(input),
    })),
    unresolved: [],
    producer: { namespace: 'bench', name: output },
    statementKind: null,
    principal: null,
    location: '',
  }));
}

export function schemasOf({ described }: Source, connectorId: ConnectorId): Map<Urn, RelationSchema> {
  const schemas = new Map<Urn, RelationSchema>();
  for (const [ref, names] of described) {
    const columns = names.map((name) => ({ name, type: typeOf(name) }));
    schemas.set(urnOf({ kind: 'relation', connectorId, ref }), { columns, stars: [], complete: true });
  }
  return schemas;
}

export const typeOf = (column: string): string => (/_(id|count)$/.test(column) ? 'bigint' : 'text');

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
