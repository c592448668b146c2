import type { ConnectorId } from '../../../../contract/ids.ts';
import type { OpenGraph } from '../../generations/graph-record.ts';
import { nameTails } from '../../graph/name-parts.ts';
import { nodeOf, refOf, type Urn } from '../../graph/node.ts';
import { alike, nearest } from '../../names/nearest.ts';
import type { BareView, GraphView } from '../../traversal/graph-view.ts';
import { presentNames } from '../../traversal/names.ts';
import { neighbourhoodsOf } from './neighbourhood.ts';

type NameQuestion = {
  /** Null: of any connector. */
  readonly connectorId: ConnectorId | null;
  readonly relationRef: string;
};

/** The last parts of a name are its own; those before it are shared by many. */
const tailsProbed = 3;
const entriesPerProbe = 100;
const namesLookedInto = 40;

/** The names that are most like a reference, of relations with lineage that a question on the connector may name. */
export async function nearestRelations(
  view: GraphView<'names', OpenGraph>,
  { connectorId, relationRef }: NameQuestion,
): Promise<string[]> {
  const pages = await Promise.all(
    probesOf(relationRef).map((prefix) =>
      view.reader.names.beginningWith(view.context.graph, prefix, { after: null, limit: entriesPerProbe }),
    ),
  );
  const found = new Set(pages.flatMap(({ entries }) => entries.map(({ urn }) => urn)));
  const urns = new Map([...found].filter((urn) => isOf(connectorId, urn)).map((urn) => [refOf(urn), urn]));
  const likeliest = alike(relationRef, [...urns.keys()], namesLookedInto).flatMap((ref) => urns.get(ref) ?? []);
  return nearest(relationRef, await withLineage(view, likeliest));
}

/** What names begin with that resemble the reference in one of its parts: whole, by its first word and its first letters. */
function probesOf(relationRef: string): string[] {
  const tails = nameTails(relationRef).slice(-tailsProbed);
  const probes = tails.flatMap((tail) => [
    tail,
    /^[\p{L}\p{N}]+/u.exec(tail)?.[0] ?? tail,
    [...tail].slice(0, 3).join(''),
  ]);
  const initials = tails.map((tail) => [...tail].slice(0, 1).join(''));
  return [...new Set([...probes, ...initials])];
}

function isOf(connectorId: ConnectorId | null, urn: Urn): boolean {
  const node = nodeOf(urn);
  return connectorId === null || !('connectorId' in node) || node.connectorId === connectorId;
}

/** An entry of the index may outlive its relation, and name an alias. */
async function withLineage(view: BareView, urns: readonly Urn[]): Promise<string[]> {
  const shown = [...new Set((await presentNames(view, urns)).values())];
  const found = await neighbourhoodsOf(view, shown, 0);
  const isConnected = (urn: Urn) => {
    const { counts } = found.get(urn) ?? { counts: { in: 0, out: 0 } };
    return counts.in + counts.out > 0;
  };
  return [...new Set(shown.filter(isConnected).map(refOf))];
}
