// Prints what the graph stores of a relation, decoded: the items of its node, the claims on both sides with their scopes,
// and what each scope states of the edges to it.
//   node scripts/show.ts WORKSPACE RELATION [--credentials FILE | --tenant NAME]
import path from 'node:path';
import { inspect, parseArgs } from 'node:util';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { workspaceOf } from '../cli/admin/command.ts';
import { openRegistry } from '../cli/admin/open-registry.ts';
import { namesReader } from '../shared/adapters/dynamodb/graph/scopes/scope-ends.ts';
import { nodeKey } from '../shared/adapters/dynamodb/keys/graph-keys.ts';
import { graphReaders } from '../shared/adapters/graph-stores.ts';
import { openedGraph } from '../shared/domain/lineage/generations/graph-record.ts';
import type { Claim, Side } from '../shared/domain/lineage/graph/claim.ts';
import { type NodeId, nodeId, refOf, urnOf } from '../shared/domain/lineage/graph/node.ts';
import { isoOfMicros } from '../shared/domain/lineage/graph/order.ts';
import { graphView } from '../shared/domain/lineage/traversal/graph-view.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { credentials: { type: 'string' }, tenant: { type: 'string' } },
});
const [workspaceName, ref] = positionals;
if (workspaceName === undefined || ref === undefined)
  throw new Error('usage: show.ts WORKSPACE RELATION [--credentials FILE | --tenant NAME]');
const local = path.join(import.meta.dirname, '..', '.local', 'credentials.json');
const target = values.tenant === undefined ? { credentials: values.credentials ?? local } : { tenant: values.tenant };
const { ports, connection } = await openRegistry(target);
const { id: workspace } = await workspaceOf(ports.registry, workspaceName);
const names = await namesReader(ports.registry)(workspace);
const { graph } = openedGraph(workspace, names);
const reader = graphReaders(connection.table, connection.rawBucket);

for (const connector of names.connectors)
  await show(nodeId(urnOf({ kind: 'relation', connectorId: connector.id, ref })));

async function show(node: NodeId): Promise<void> {
  const [found] = await reader.pages.nodes(graph, [node]);
  if (!found) return;
  const key = nodeKey(graph, node);
  const { Item } = await connection.dynamodb.send(
    new GetItemCommand({ TableName: connection.names.table, Key: { pk: { S: key.pk }, sk: { S: key.sk } } }),
  );
  const { urn, facts, levels, pages, schemas, observers } = found;
  const claims = [...pages.in.claims, ...pages.out.claims, ...schemas];
  const heads = await reader.scopes.heads(graph, [...new Set(claims.map(({ scope }) => scope))]);
  const others = await reader.pages.names(graph, [...new Set(claims.map(({ other }) => other as NodeId))]);
  const nameOf = (other: string) => others.find(({ node }) => node === other)?.urn;
  const scopeOf = (scope: string) =>
    heads.find((one) => one.scope === scope)?.scopeKey ??
    observers.find((one) => one.scope === scope)?.scopeKey ??
    scope;
  const shown = ({ other, scope, ...when }: Claim) => ({
    other: nameOf(other) ? refOf(nameOf(other) ?? urn) : other,
    scope: scopeOf(scope),
    ...(when.kind === 'observed' ? { first: isoOfMicros(when.first), last: isoOfMicros(when.last) } : when),
  });
  const edges = pages.in.claims.map(({ other, scope }) => ({ from: other, to: node, scope }));
  const context = { graph, forgotten: names.forgotten };
  const details = await graphView({ reader, context }, null).readDetails(edges);
  const side = (name: Side) => pages[name].claims.map(shown);
  print({ urn, key, bytes: JSON.stringify(Item).length, attributes: Object.keys(Item ?? {}).length, facts, levels });
  print({ 'incoming claims': side('in'), 'outgoing claims': side('out'), schemas: schemas.map(shown) });
  print({ heads: heads.map(({ scopeKey, kind, order, floor }) => ({ scopeKey, kind, order, floor })) });
  print({
    details: details.map(({ from, scope, ...detail }) => ({ from: nameOf(from), scope: scopeOf(scope), ...detail })),
  });
}

function print(value: unknown): void {
  console.log(inspect(value, { depth: null, compact: 3, breakLength: 120 }));
}
