import { parseArgs } from 'node:util';
import type { ConnectorId } from '../shared/contract/ids.ts';
import type { ColumnMapping, Derivation } from '../shared/domain/lineage/graph/derivation.ts';
import type { Node } from '../shared/domain/lineage/graph/node.ts';
import { projectorPorts } from '../shared/runtime/composition/workers.ts';
import { loadComplete } from './support/complete-snapshot.ts';
import { printerOf } from './support/figures.ts';
import { startMeteredWorkspace } from './support/metered-workspace.ts';

// What a complete snapshot costs by what it changes, one JSON line a step: the first of its scope, the same again, one
// model changed, and one of a hundred changed. Each step follows the one before.
const { values } = parseArgs({ options: { edges: { type: 'string', default: '10000,100000' } } });
const { stores, table, workspace, usageOf } = await startMeteredWorkspace();
const place = { table, worker: projectorPorts(), workspace };
const print = printerOf('snapshot-change');

try {
  for (const edges of values.edges.split(',').map(Number)) await measureScope(edges);
} finally {
  stores.stop();
}

/** Models by number, and the version of each. */
type Project = ReadonlyMap<number, number>;

async function measureScope(edges: number): Promise<void> {
  const count = Math.ceil(edges / 3);
  let project: Project = new Map(Array.from({ length: count }, (_, i) => [i, 0]));
  const steps: readonly (readonly [string, (before: Project) => Project])[] = [
    ['first', (before) => before],
    ['identical', (before) => before],
    ['one_changed', (before) => changed(before, 1)],
    ['percent_changed', (before) => changed(before, Math.ceil(count / 100))],
  ];
  for (const [step, next] of steps) {
    project = next(project);
    await measureLoad(edges, step, project);
  }
}

/** Some models, spread over the project, in another version. */
function changed(before: Project, count: number): Project {
  const every = Math.floor(before.size / count);
  return new Map([...before].map(([model, version], i) => [model, i % every === 0 ? version + 1 : version]));
}

async function measureLoad(edges: number, step: string, project: Project): Promise<void> {
  const derivations = [...project].map(([model, version]) => modelOf(model, version));
  const figures = await usageOf(() => loadComplete(place, String(edges), { derivations }));
  print({ edges, step, ...figures });
}

/** A model of three inputs with two columns each. */
function modelOf(model: number, version: number): Derivation {
  const inputs = [1, 2, 3].map((distance) => relation(Math.max(-1, model - distance * 7)));
  return {
    output: relation(model),
    inputs,
    columns: inputs.flatMap((input) => ['a', 'b'].map((column) => mapping(input, column, version))),
    unresolved: [],
    producer: { namespace: 'bench', name: `model_${model}` },
    statementKind: null,
    principal: null,
    location: `/nodes/model.bench.m${model}`,
  };
}

function relation(i: number): Node {
  return { kind: 'relation', connectorId: 'bench' as ConnectorId, ref: `db.m.t${i}` };
}

function mapping(input: Node, column: string, version: number): ColumnMapping {
  const subtype = version % 2 === 0 ? 'IDENTITY' : 'TRANSFORMATION';
  return { input, inputColumn: column, outputColumn: column, type: 'DIRECT', subtype, masking: false };
}
