import { useReactFlow } from '@xyflow/react';
import { save } from '../parts/save.ts';
import { texts } from '../texts.ts';
import type { Shown } from './answer.ts';
import type { Marks } from './flow-elements.ts';
import type { Picture } from './groups.ts';
import { drawnSvg, pngOf } from './picture-file.ts';
import type { Places } from './places.ts';
import { fitting } from './use-fitted.ts';

type GraphToolsProps = {
  readonly picture: Picture;
  readonly places: Places;
  readonly shown: Shown;
  readonly withColumns: boolean;
  readonly undo: (() => void) | null;
  readonly marks?: Marks | undefined;
};

/** How to look at the picture, and how to take it along. */
export function GraphTools({ picture, places, shown, withColumns, undo, marks }: GraphToolsProps) {
  const { fitView, zoomIn, zoomOut } = useReactFlow();
  const svg = () => drawnSvg({ picture, places, shown, withColumns, marks });
  const name = shown.root === '' ? 'changes' : shown.root;
  return (
    <div className="graph-tools" role="toolbar" aria-label={texts.lineage.views}>
      <button type="button" onClick={() => fitView(fitting)}>
        {texts.lineage.fit}
      </button>
      <button type="button" aria-label={texts.lineage.zoomIn} onClick={() => zoomIn()}>
        +
      </button>
      <button type="button" aria-label={texts.lineage.zoomOut} onClick={() => zoomOut()}>
        −
      </button>
      {marks === undefined && (
        <button type="button" disabled={undo === null} onClick={() => undo?.()}>
          {texts.lineage.undo}
        </button>
      )}
      <button type="button" onClick={async () => save(`${name}.png`, await pngOf(svg()))}>
        {texts.lineage.downloadPicture}
      </button>
      <button type="button" onClick={() => save(`${name}.svg`, new Blob([svg().text], { type: 'image/svg+xml' }))}>
        {texts.lineage.downloadSvg}
      </button>
    </div>
  );
}
