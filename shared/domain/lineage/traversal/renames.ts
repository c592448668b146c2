import { greatest } from '../../base/collections.ts';
import type { Urn } from '../graph/node.ts';
import { expand } from './expansion.ts';
import { currentName, loadNames } from './names.ts';
import type { ClaimsView } from './node-view.ts';

/** The name that a renamed dataset has at the moment of the view; null if it was not renamed by then (C-OPENLINEAGE-14). */
export function successorOf(
  { nodes, observedUntil }: Pick<ClaimsView, 'nodes' | 'observedUntil'>,
  urn: Urn,
): Urn | null {
  const renames = nodes.factsOf(urn)?.renamedTo ?? [];
  const times = renames.map(({ at }) => at);
  const newest = greatest(times.filter((at) => observedUntil === null || at <= observedUntil));
  const name = newest === undefined ? urn : currentName(urn, newest, nodes.factsOf);
  return name === urn ? null : name;
}

/** Whether something still names a dataset as it is, such as a project that was not changed with it. */
export async function isStillNamed(view: ClaimsView, urn: Urn): Promise<boolean> {
  const sides = (['in', 'out'] as const).map((side) => expand(view, { side, nodes: [urn] }));
  return (await Promise.all(sides)).some((expansion) => expansion.remaining() > 0);
}

/** The other names of relations that were renamed, under which evidence still stands: what uses one may need the other. */
export async function namesBesides(view: ClaimsView, urns: readonly Urn[]): Promise<readonly Urn[]> {
  const found = new Set<Urn>();
  for (const urn of urns) {
    const before = view.nodes.factsOf(urn)?.renamedFrom ?? [];
    for (const { urn: old } of before) {
      await loadNames(view, [old]);
      if (successorOf(view, old) === urn && (await isStillNamed(view, old))) found.add(old);
    }
    const successor = successorOf(view, urn);
    if (successor !== null) found.add(successor);
  }
  return [...found].sort();
}
