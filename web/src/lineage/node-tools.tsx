import { useQuery } from '@tanstack/react-query';
import { relationQuery } from '../api/queries.ts';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { usePicture } from './picture-context.ts';

/** What can be done with the active relation. */
export function NodeTools({ relation, isRoot }: { readonly relation: string; readonly isRoot: boolean }) {
  const { address, change, connectorOf } = usePicture();
  const { up, down, hide } = address;
  const hidden = useHidden(relation);
  return (
    <div className="relation-tools nodrag" role="toolbar" aria-label={relation.split('.').at(-1)}>
      <button type="button" disabled={up.includes(relation)} onClick={() => change({ up: [...up, relation] })}>
        <span aria-hidden="true">← </span>
        {texts.lineage.expandUpstream}
        <NotShown count={hidden.upstream} />
      </button>
      <button type="button" disabled={down.includes(relation)} onClick={() => change({ down: [...down, relation] })}>
        {texts.lineage.expandDownstream}
        <NotShown count={hidden.downstream} />
        <span aria-hidden="true"> →</span>
      </button>
      <button type="button" disabled={isRoot} onClick={() => change({ hide: [...hide, relation] })}>
        {texts.lineage.hide}
      </button>
      {!isRoot && (
        <button
          type="button"
          onClick={() =>
            change({
              ...{ connector: connectorOf(relation), relation, column: [], up: [], down: [] },
              ...{ hide: [], open: [], edge: null, to: null },
            })
          }
        >
          {texts.lineage.focus}
        </button>
      )}
    </div>
  );
}

/** How many neighbours stand beyond the picture; said beside the name of the button, which stays the same. */
const NotShown = ({ count }: { readonly count: number }) =>
  count > 0 && (
    <span className="not-shown" aria-hidden="true" title={texts.lineage.notShown(count)}>
      {count.toLocaleString()}
    </span>
  );

/** As of now: of a past time the service counts no neighbours. */
function useHidden(relation: string): { readonly upstream: number; readonly downstream: number } {
  const workspace = useWorkspace();
  const { address, neighbours, connectorOf } = usePicture();
  const { data } = useQuery({
    ...relationQuery(workspace?.id ?? '', connectorOf(relation), relation),
    enabled: address.as_of === null,
    retry: false,
  });
  if (data === undefined || address.as_of !== null) return { upstream: 0, downstream: 0 };
  const shown = neighbours.get(relation) ?? { upstream: 0, downstream: 0 };
  return {
    upstream: Math.max(0, data.upstream_count - shown.upstream),
    downstream: Math.max(0, data.downstream_count - shown.downstream),
  };
}
