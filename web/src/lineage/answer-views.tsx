import { Tab, TabList, TabPanel, TabProvider } from '@ariakit/react';
import type { ReactNode } from 'react';
import { texts } from '../texts.ts';
import type { Address, Change } from './address.ts';
import type { Shown } from './answer.ts';
import { Controls } from './controls.tsx';
import { Graph } from './graph.tsx';
import type { Picture } from './groups.ts';
import { ImpactTable } from './impact-table.tsx';

type AnswerViewsProps = {
  readonly shown: Shown;
  readonly picture: Picture;
  readonly address: Address;
  readonly change: Change;
  readonly undo: (() => void) | null;
  readonly children: ReactNode;
};

/** The picture or the table of an answer; `children` stand beside the controls. */
export function AnswerViews({ shown, picture, address, change, undo, children }: AnswerViewsProps) {
  return (
    <TabProvider
      selectedId={address.view}
      setSelectedId={(id) => id !== address.view && change({ view: id === 'table' ? 'table' : 'graph' })}
    >
      <div className="views-head">
        <TabList aria-label={texts.lineage.views} className="tabs">
          <Tab id="graph">{texts.lineage.tabs.graph}</Tab>
          <Tab id="table">{texts.lineage.tabs.table}</Tab>
        </TabList>
        <Controls address={address} change={change} shown={shown} />
        {children}
      </div>
      <TabPanel tabId="graph" unmountOnHide focusable={false}>
        <Graph shown={shown} picture={picture} address={address} change={change} undo={undo} />
        {shown.rows.length === 0 && <p className="empty graph-empty">{texts.lineage.noLineage}</p>}
      </TabPanel>
      <TabPanel tabId="table" unmountOnHide focusable={false}>
        <ImpactTable rows={shown.rows} address={address} />
      </TabPanel>
    </TabProvider>
  );
}
