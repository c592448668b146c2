import { nodeOf, relationRefOf, type Urn, urnOf } from '../../graph/node.ts';
import type { Declared } from '../../sources/declared/declared.ts';
import { relationsOf } from './graph-version.ts';
import type { LiveScope } from './live-scope.ts';

/**
 * The live name of each relation of a branch that was built for another target, such as a schema of its own: a model is
 * the live relation that the model of that id makes; any other relation that is not live by its own name is the one live
 * relation with its last name part that no other is taken for.
 */
export function liveNames({ derivations, relations }: Declared, live: LiveScope): (urn: Urn) => Urn {
  const liveUrns = relationsOf(live.side);
  const byModel = new Map([...live.producers].map(([urn, model]) => [model, urn]));
  const names = new Map<Urn, Urn>();
  for (const { output, producer } of derivations) {
    const urn = byModel.get(producer.name);
    if (urn !== undefined) names.set(urnOf(output), urn);
  }
  const taken = new Set(names.values());
  const free = [...liveUrns].filter((urn) => !taken.has(urn) && !live.producers.has(urn));
  const byTable = Map.groupBy(free, tableOf);
  for (const urn of relations.map(({ node }) => urnOf(node))) {
    if (names.has(urn) || liveUrns.has(urn)) continue;
    const [only, ...more] = byTable.get(tableOf(urn)) ?? [];
    if (only !== undefined && more.length === 0) names.set(urn, only);
  }
  return (urn) => names.get(urn) ?? urn;
}

const tableOf = (urn: Urn): string => {
  const ref = relationRefOf(nodeOf(urn));
  return ref.slice(ref.lastIndexOf('.') + 1).toLowerCase();
};
