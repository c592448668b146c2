import type { LineageResolution } from '../../../../contract/relations.ts';
import type { Connector } from '../../names/connector.ts';
import type { GraphView } from '../../traversal/graph-view.ts';
import type { ResolvedRoot } from '../../traversal/traverse.ts';
import { nearestRelations } from './nearest-relations.ts';

export async function shownResolution(
  view: GraphView<'names'>,
  connector: Connector | null,
  { relationRef, root }: { readonly relationRef: string; readonly root: ResolvedRoot },
): Promise<LineageResolution> {
  const { urn, method, fallbackReason } = root;
  const shown = { method, fallback_reason: fallbackReason };
  if (urn !== null) return shown;
  return { ...shown, candidates: await nearestRelations(view, { connectorId: connector?.id ?? null, relationRef }) };
}
