import { nodeId, type Urn } from '../../../../domain/lineage/graph/node.ts';
import type { Micros } from '../../../../domain/lineage/graph/order.ts';
import { nodeKey } from '../../keys/graph-keys.ts';
import { changing, type UpdateExpression, updateItem, writeStamp } from '../../requests/update-item.ts';
import { attribute, renameElement, timeValue } from '../codec.ts';
import type { GraphWriter } from './levels.ts';

/** The alias names its canonical node, which lists it: a reader of either finds the other. */
export const writeAlias = (writer: GraphWriter, alias: Urn, canonical: Urn) =>
  once(writer, `alias ${alias} ${canonical}`, () => [
    [alias, adding(alias, attribute.aliasOf, canonical)],
    [canonical, adding(canonical, attribute.aliases, alias)],
  ]);

export const writeRename = (writer: GraphWriter, from: Urn, to: Urn, at: Micros) =>
  once(writer, `rename ${from} ${to} ${at}`, () => [
    [from, adding(from, attribute.renamedTo, renameElement(at, to))],
    [to, adding(to, attribute.renamedFrom, renameElement(at, from))],
  ]);

export const writeDrop = (writer: GraphWriter, urn: Urn, at: Micros) =>
  once(writer, `drop ${urn} ${at}`, () => {
    const x = timeValue(at);
    const where = [{ name: 'x', is: '<', value: x, orMissing: true }] as const;
    return [[urn, changing({ set: { u: { S: urn }, w: writeStamp(), x }, where })]];
  });

/** Writes a fact at most once a process: producers repeat their symlinks with every event. */
async function once(
  { table, graph, state }: GraphWriter,
  fact: string,
  writes: () => readonly (readonly [Urn, UpdateExpression])[],
): Promise<void> {
  if (state.facts.has(`${graph} ${fact}`)) return;
  await Promise.all(writes().map(([urn, write]) => updateItem(table, nodeKey(graph, nodeId(urn)), write)));
  state.facts.set(`${graph} ${fact}`, true);
}

/** A producer may link a table to a new place with every run: the page that lists them must not outgrow an item. */
const maxFactElements = 1_000;

/** Adds to a fact while there is room for it: what is refused is still stored at the other end. */
const adding = (urn: Urn, name: string, element: string): UpdateExpression =>
  changing({
    set: { u: { S: urn }, w: writeStamp() },
    add: { [name]: { SS: [element] } },
    where: [{ name, is: 'smaller', than: maxFactElements }],
  });
