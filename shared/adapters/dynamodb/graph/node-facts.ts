import type { WorkspaceId } from '../../../contract/ids.ts';
import { nodeId } from '../../../domain/graph/ids.ts';
import type { Micros } from '../../../domain/graph/order.ts';
import type { Urn } from '../../../domain/lineage/node.ts';
import { nodeKey } from '../keys.ts';
import type { Meter, Table } from '../table.ts';
import { type Expression, updateItem, written } from '../update-item.ts';
import { attribute, renameElement } from './page-codec.ts';

type Writer = { readonly table: Table; readonly meter?: Meter | undefined };

/** The alias says that it is one, and the canonical name lists it: a reader of either finds the other. */
export async function writeAlias(writer: Writer, workspace: WorkspaceId, alias: Urn, canonical: Urn): Promise<void> {
  await Promise.all([
    onNode(writer, workspace, alias, adding(alias, attribute.aliasOf, canonical)),
    onNode(writer, workspace, canonical, adding(canonical, attribute.aliases, alias)),
  ]);
}

export async function writeRename(
  writer: Writer,
  workspace: WorkspaceId,
  rename: { readonly from: Urn; readonly to: Urn; readonly at: Micros },
): Promise<void> {
  const { from, to, at } = rename;
  await Promise.all([
    onNode(writer, workspace, from, adding(from, attribute.renamedTo, renameElement(at, to))),
    onNode(writer, workspace, to, adding(to, attribute.renamedFrom, renameElement(at, from))),
  ]);
}

export async function writeDrop(writer: Writer, workspace: WorkspaceId, urn: Urn, at: Micros): Promise<void> {
  await onNode(writer, workspace, urn, {
    UpdateExpression: 'SET u = :u, w = :w, x = :t',
    ConditionExpression: 'attribute_not_exists(x) OR x < :t',
    ExpressionAttributeValues: { ':u': { S: urn }, ':w': written(), ':t': { N: BigInt(at).toString() } },
  });
}

/** A producer may link a table to a new place with every run: the page that lists them must not outgrow an item. */
const mostOfAFact = 1_000;

/** Adds to a fact while there is room for it: what is refused is still told by the other end. */
const adding = (urn: Urn, name: string, element: string): Expression => ({
  UpdateExpression: 'SET u = :u, w = :w ADD #n :set',
  ConditionExpression: 'attribute_not_exists(#n) OR size(#n) < :most',
  ExpressionAttributeNames: { '#n': name },
  ExpressionAttributeValues: {
    ':u': { S: urn },
    ':w': written(),
    ':set': { SS: [element] },
    ':most': { N: String(mostOfAFact) },
  },
});

const onNode = (writer: Writer, workspace: WorkspaceId, urn: Urn, expression: Expression) =>
  updateItem(writer, nodeKey(workspace, nodeId(urn)), expression);
