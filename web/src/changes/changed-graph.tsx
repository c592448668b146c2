import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { type Change, readAddress, written } from '../lineage/address.ts';
import type { EdgeOfAnswer, Shown } from '../lineage/answer.ts';
import type { Marks } from '../lineage/flow-elements.ts';
import { bySchema, grouped, type Picture } from '../lineage/groups.ts';
import { useShortcut } from '../parts/shortcut.ts';
import { texts } from '../texts.ts';

const Graph = lazy(() => import('../lineage/graph.tsx').then((module) => ({ default: module.Graph })));

export type Drawn = { readonly shown: Shown; readonly picture: Picture; readonly marks: Marks };

type ChangedGraphProps = {
  readonly connector: string;
  /** Draws the changes with some of their groups opened. */
  readonly draw: (open: readonly string[]) => Drawn;
  /** What the picture claims, for a picture file. */
  readonly caption: readonly string[];
};

/** A picture of changes as the explorer draws lineage; an edge leads to its evidence there. */
export function ChangedGraph({ connector, draw, caption }: ChangedGraphProps) {
  const [open, setOpen] = useState<readonly string[]>([]);
  const [selected, select] = useState<string | null>(null);
  // As if the explorer were asked for nothing: a link from the picture leads to the relation that it names.
  const address = useMemo(() => ({ ...readAddress({ connector }), open, selected }), [connector, open, selected]);
  useShortcut('Escape', () => select(null));
  const navigate = useNavigate();
  const drawn = useMemo(() => draw(open), [draw, open]);
  const act: Change = ({ edge, open: groups, selected: next }) => {
    if (groups) setOpen(groups);
    else if (next !== undefined) select(next);
    else if (edge)
      void navigate({ to: '/lineage', search: written({ ...address, relation: edge.downstream, edge, open: [] }) });
  };
  return (
    <div className="canvas">
      {drawn.picture.relations.length + drawn.picture.groups.length > 0 && (
        <Suspense fallback={<p role="status">{texts.loading}</p>}>
          <Graph {...drawn} address={address} undo={null} change={act} caption={caption} />
        </Suspense>
      )}
    </div>
  );
}

type ChangedEdge = Pick<EdgeOfAnswer, 'upstream' | 'downstream'> &
  Partial<Pick<EdgeOfAnswer, 'confidence'>> & { readonly change: string };
type Changed = {
  readonly edges: readonly ChangedEdge[];
  readonly relations?: readonly { readonly relation_ref: string; readonly change: string }[];
  readonly columns?: readonly { readonly relation_ref: string; readonly column: string }[];
};

/** What came, went and changed, and the ends of changed edges. */
export function drawnChanges(
  { edges: changed, relations = [], columns = [] }: Changed,
  open: readonly string[],
): Drawn {
  const edges = changed.map(edgeOf);
  const names = new Set([
    ...relations.map(({ relation_ref }) => relation_ref),
    ...changed.flatMap(({ upstream, downstream }) => [upstream, downstream]),
  ]);
  const byRelation = Map.groupBy(columns, ({ relation_ref }) => relation_ref);
  const points = [...names].map((relation) => ({
    ...{ id: relation, relation, row: null },
    columns: (byRelation.get(relation) ?? []).map(({ column }) => column),
  }));
  return {
    shown: { root: '', rows: [], edges, paths: [], hidden: 0, all: { rows: [], edges }, answers: [] },
    picture: grouped(points, edges, { open, single: new Set(), groupName: bySchema }),
    marks: {
      relations: new Map(relations.map(({ relation_ref, change }) => [relation_ref, change])),
      edges: new Map(changed.map(({ upstream, downstream, change }) => [`${upstream}\n${downstream}`, change])),
    },
  };
}

const edgeOf = ({ upstream, downstream, confidence = 1 }: ChangedEdge): EdgeOfAnswer => ({
  ...{ upstream, downstream, confidence, status: 'active', verdict: null, verdict_reason: null },
  ...{ dispositions: [], columns: [], evidence: [] },
});
