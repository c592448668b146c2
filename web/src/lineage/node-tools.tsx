import { texts } from '../texts.ts';
import { usePicture } from './active.ts';

/** What can be done with the active relation. */
export function NodeTools({ relation, isRoot }: { readonly relation: string; readonly isRoot: boolean }) {
  const { address, change } = usePicture();
  const { up, down, hide } = address;
  return (
    <div className="relation-tools nodrag" role="toolbar" aria-label={relation.split('.').at(-1)}>
      <button type="button" disabled={up.includes(relation)} onClick={() => change({ up: [...up, relation] })}>
        <span aria-hidden="true">← </span>
        {texts.lineage.expandUpstream}
      </button>
      <button type="button" disabled={down.includes(relation)} onClick={() => change({ down: [...down, relation] })}>
        {texts.lineage.expandDownstream}
        <span aria-hidden="true"> →</span>
      </button>
      <button type="button" disabled={isRoot} onClick={() => change({ hide: [...hide, relation] })}>
        {texts.lineage.hide}
      </button>
      {!isRoot && (
        <button
          type="button"
          onClick={() => change({ relation, column: [], up: [], down: [], hide: [], open: [], edge: null, to: null })}
        >
          {texts.lineage.focus}
        </button>
      )}
    </div>
  );
}
