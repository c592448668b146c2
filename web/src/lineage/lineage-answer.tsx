import { useMemo } from 'react';
import { texts } from '../texts.ts';
import type { Address, Change } from './address.ts';
import type { Shown } from './answer.ts';
import { AnswerViews } from './answer-views.tsx';
import { ColumnsPanel } from './columns-panel.tsx';
import { Evidence } from './evidence.tsx';
import { type Picture, pictureOf } from './groups.ts';
import { LeavesOut } from './leaves-out.tsx';
import { LineageTree } from './lineage-tree.tsx';
import { Summary } from './summary.tsx';
import type { Asked } from './use-shown.ts';

type LineageAnswerProps = {
  readonly workspaceId: string;
  readonly asked: Asked & { readonly shown: Shown };
  readonly address: Address;
  readonly change: Change;
  readonly undo: (() => void) | null;
};

/** An answer as a sentence, a picture, a table and a tree, with what it rests on and leaves out beside them. */
export function LineageAnswer({ workspaceId, asked, address, change, undo }: LineageAnswerProps) {
  const { shown, isAsking, progress, pathNote } = asked;
  const picture = usePictureOf(shown, address);
  const rootColumns = useMemo(() => columnsOfRoot(shown), [shown]);
  return (
    <div className="explorer-body">
      <div className="explorer-main">
        <Summary shown={shown} address={address} />
        {pathNote && <p role="status">{pathNote}</p>}
        <AnswerViews shown={shown} picture={picture} address={address} change={change} undo={undo}>
          {isAsking && <Progress {...progress} />}
        </AnswerViews>
        <LineageTree shown={shown} />
      </div>
      <aside className="explorer-side" aria-label={texts.lineage.about}>
        {address.edge && <Evidence address={address} edge={address.edge} change={change} />}
        {!address.edge && shown.edges.length > 0 && address.view === 'graph' && (
          <p className="card hint">{texts.evidence.choose}</p>
        )}
        <LeavesOut shown={shown} picture={picture} />
        <ColumnsPanel workspaceId={workspaceId} address={address} change={change} seen={rootColumns} />
      </aside>
    </div>
  );
}

function usePictureOf(shown: Shown, { open, up, down, edge, to }: Address): Picture {
  return useMemo(() => {
    const single = [shown.root, ...up, ...down, ...(edge ? [edge.upstream, edge.downstream] : []), ...(to ? [to] : [])];
    return pictureOf(shown, open, new Set(single));
  }, [shown, open, up, down, edge, to]);
}

function columnsOfRoot({ root, edges }: Shown): string[] {
  const columns = new Set<string>();
  for (const { upstream, downstream, columns: mapped } of edges)
    for (const column of mapped) {
      if (upstream === root) columns.add(column.upstream);
      if (downstream === root && column.downstream !== null) columns.add(column.downstream);
    }
  return [...columns].toSorted();
}

/** That answers are still to come, and how far they have. */
const Progress = ({ answered, asked }: { readonly answered: number; readonly asked: number }) => (
  <span role="status" className="progress">
    {asked > 1 ? texts.lineage.asking(answered, asked) : texts.loading}
    <progress value={asked > 1 ? answered : undefined} max={asked} />
  </span>
);
