import type { LineageResolution } from '../../../../contract/relations.ts';
import { refOf } from '../../graph/node.ts';
import type { Connector } from '../../names/connector.ts';
import { nearest } from '../../names/nearest.ts';
import type { GraphView } from '../../traversal/graph-view.ts';
import type { ResolvedRoot } from '../../traversal/traverse.ts';
import { nearestRelations } from './nearest-relations.ts';

export async function shownResolution(
  view: GraphView<'names'>,
  connector: Connector | null,
  { relationRef, root }: { readonly relationRef: string; readonly root: ResolvedRoot },
): Promise<LineageResolution> {
  const { urn, method, fallbackReason, among } = root;
  const shown = { method, fallback_reason: fallbackReason };
  if (urn !== null) return shown;
  if (among) return { ...shown, candidates: nearest(relationRef, among.map(refOf)) };
  return { ...shown, candidates: await nearestRelations(view, { connectorId: connector?.id ?? null, relationRef }) };
}
