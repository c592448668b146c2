import { nodeId, type Urn } from '../../../../domain/lineage/graph/node.ts';
import type { Micros } from '../../../../domain/lineage/graph/order.ts';
import { nodeKey } from '../../keys/graph-keys.ts';
import { changing, type UpdateExpression, updateItem, writeStamp } from '../../requests/update-item.ts';
import { attribute, renameElement, timeValue } from '../codec.ts';
import type { GraphWriter } from './levels.ts';

/** The alias names its canonical node, which lists it: a reader of either finds the other. */
export async function writeAlias(writer: GraphWriter, alias: Urn, canonical: Urn): Promise<void> {
  await Promise.all([
    onNode(writer, alias, adding(alias, attribute.aliasOf, canonical)),
    onNode(writer, canonical, adding(canonical, attribute.aliases, alias)),
  ]);
}

export async function writeRename(
  writer: GraphWriter,
  rename: { readonly from: Urn; readonly to: Urn; readonly at: Micros },
): Promise<void> {
  const { from, to, at } = rename;
  await Promise.all([
    onNode(writer, from, adding(from, attribute.renamedTo, renameElement(at, to))),
    onNode(writer, to, adding(to, attribute.renamedFrom, renameElement(at, from))),
  ]);
}

export async function writeDrop(writer: GraphWriter, urn: Urn, at: Micros): Promise<void> {
  const x = timeValue(at);
  const where = [{ name: 'x', is: '<', value: x, orMissing: true }] as const;
  await onNode(writer, urn, changing({ set: { u: { S: urn }, w: writeStamp(), x }, where }));
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

const onNode = (writer: GraphWriter, urn: Urn, expression: UpdateExpression) =>
  updateItem(writer.table, nodeKey(writer.graph, nodeId(urn)), expression);
