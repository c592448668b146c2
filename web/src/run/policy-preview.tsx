import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type PolicyDraft, previewQuery } from '../api/run-queries.ts';
import { ChangedGraph, drawnChanges } from '../changes/changed-graph.tsx';
import { percent } from '../parts/day-bars.tsx';
import { Failure } from '../parts/failure.tsx';
import { texts } from '../texts.ts';

type PolicyPreviewProps = {
  readonly workspaceId: string;
  readonly connectorId: string;
  readonly revision: number;
  /** What is looked at; null before that was requested. */
  readonly draft: PolicyDraft | null;
};

/** What a policy would change before it is saved, a part of the graph at a time. */
export function PolicyPreview({ workspaceId, connectorId, revision, draft }: PolicyPreviewProps) {
  const { data, error, isFetching, hasNextPage, fetchNextPage } = useInfiniteQuery(
    previewQuery(workspaceId, connectorId, revision, draft),
  );
  return (
    <section className="card" aria-label={texts.policy.previewTitle} aria-busy={isFetching}>
      <h2>{texts.policy.previewTitle}</h2>
      {draft === null && <p className="dim">{texts.policy.previewHow}</p>}
      {data && <Changes pages={data.pages} connector={connectorId} />}
      {isFetching && <p role="status">{texts.policy.previewing}</p>}
      {error && <Failure error={error} />}
      {hasNextPage && !isFetching && (
        <p>
          <button type="button" onClick={() => void fetchNextPage()}>
            {texts.policy.previewFurther}
          </button>
        </p>
      )}
    </section>
  );
}

type Page = Awaited<ReturnType<NonNullable<ReturnType<typeof previewQuery>['queryFn']>>>;
type Counted = 'hidden' | 'shown' | 'weighed' | 'unlisted' | 'edges_compared';

/** How the picture draws an edge that would be hidden, shown or weighed. */
const marks = { hidden: 'removed', shown: 'added', weighed: 'changed' } as const;
const kinds = ['hidden', 'shown', 'weighed'] as const;

/** What a draft would change: the edges as a picture, then each with its reason. */
function Changes({ pages, connector }: { readonly pages: readonly Page[]; readonly connector: string }) {
  const sum = (name: Counted) => pages.reduce((total, page) => total + page[name], 0);
  const items = useMemo(() => pages.flatMap((page) => page.items), [pages]);
  const draw = useMemo(() => {
    const edges = items.map(({ upstream, downstream, change, before, after }) => ({
      ...{ upstream, downstream, change: marks[change] },
      confidence: (change === 'hidden' ? before : after).confidence,
    }));
    return (open: readonly string[]) => drawnChanges({ edges }, open);
  }, [items]);
  const changed = kinds.filter((change) => sum(change) > 0);
  return (
    <div role="status">
      {items.length > 0 && (
        <ChangedGraph
          connector={connector}
          draw={draw}
          caption={changed.map((one) => texts.policy.would[one](sum(one)))}
        />
      )}
      {changed.length === 0 && <p>{texts.policy.previewNone}</p>}
      {changed.map((change) => (
        <div key={change}>
          <h3>
            <span className="mark-line" data-mark={marks[change]} /> {texts.policy.would[change](sum(change))}
          </h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard. */}
          <ul tabIndex={0} className="plain edges-list" aria-label={texts.policy.would[change](sum(change))}>
            {items
              .filter((item) => item.change === change)
              .map((item) => (
                <li key={`${item.upstream} ${item.downstream}`}>
                  <span className="ref">
                    {item.upstream} → {item.downstream}
                  </span>{' '}
                  <span className="dim">{consequence(item)}</span>
                </li>
              ))}
          </ul>
        </div>
      ))}
      {sum('unlisted') > 0 && <p>{texts.policy.unlisted(sum('unlisted'))}</p>}
      <p className="dim">{texts.policy.previewed(sum('edges_compared'), pages.at(-1)?.next_cursor !== null)}</p>
    </div>
  );
}

/** Why an edge would be hidden, else how its confidence would change. */
function consequence({ change, before, after, dispositions }: Page['items'][number]): string {
  if (change === 'hidden') return dispositions.map((one) => one.replaceAll('_', ' ')).join(', ');
  return texts.policy.confidence(percent(before.confidence), percent(after.confidence));
}
