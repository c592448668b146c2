import { useId } from 'react';
import { ago } from '../parts/time.tsx';
import { texts } from '../texts.ts';
import type { Shown } from './answer.ts';
import type { Picture } from './groups.ts';

const maxReasons = 5;

export function LeavesOut({ shown, picture }: { readonly shown: Shown; readonly picture: Picture }) {
  const id = useId();
  const omissions = leftOut(shown, picture);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it is one line, which the focus opens.
    <section className="leaves-out" aria-labelledby={id} data-quiet={omissions.length === 0} tabIndex={0}>
      <h2 id={id}>{texts.leavesOut.title}</h2>
      {omissions.length === 0 ? (
        <p>{texts.leavesOut.nothing}</p>
      ) : (
        <ul>
          {omissions.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

function leftOut(shown: Shown, picture: Picture): string[] {
  const grouped = picture.groups.reduce((sum, { members }) => sum + members.length, 0);
  return [
    ...truncation(shown),
    ...precision(shown),
    ...suppressed(shown),
    ...coverage(shown),
    ...(shown.hidden > 0 ? [texts.leavesOut.hidden(shown.hidden)] : []),
    ...(grouped > 0 ? [texts.leavesOut.grouped(grouped)] : []),
  ];
}

function truncation({ answers }: Shown): string[] {
  const [main] = answers;
  if (main === undefined || !main.truncated.any) return [];
  const { by_depth, by_nodes, by_bytes, unexplored } = main.truncated;
  return [
    ...(by_depth ? [texts.leavesOut.byDepth(main.limits.max_depth)] : []),
    ...(by_nodes ? [texts.leavesOut.byNodes(main.limits.max_nodes)] : []),
    ...(by_bytes ? [texts.leavesOut.byBytes] : []),
    ...(unexplored > 0 ? [texts.leavesOut.unexplored(unexplored)] : []),
  ];
}

function precision({ answers }: Shown): string[] {
  const [main] = answers;
  if (main === undefined) return [];
  const { requested, delivered, reasons } = main.precision;
  if (delivered === 'none') return [texts.leavesOut.none];
  if (requested !== 'column' || (delivered === 'column' && reasons.length === 0)) return [];
  return [
    ...(delivered === 'column' ? [] : [texts.leavesOut[delivered]]),
    ...reasons
      .slice(0, maxReasons)
      .map(({ relation_ref, reason }) => texts.leavesOut.reason(relation_ref, reason.replaceAll('_', ' '))),
    ...(reasons.length > maxReasons ? [texts.leavesOut.moreReasons(reasons.length - maxReasons)] : []),
  ];
}

/** Newer services say why edges are not followed; those that do not only count the stale ones. */
type Suppressed = { readonly policy?: number; readonly expired?: number; readonly confidence?: number };

function suppressed({ answers }: Shown): string[] {
  const [main] = answers;
  if (main === undefined) return [];
  const counts = 'suppressed' in main.coverage ? (main.coverage.suppressed as Suppressed) : {};
  const omissions = (['policy', 'expired', 'confidence'] as const).flatMap((why) =>
    (counts[why] ?? 0) > 0 ? [texts.leavesOut.suppressed[why](counts[why] ?? 0)] : [],
  );
  const stale = main.blast_radius.stale_edges;
  return omissions.length > 0 || stale === 0 ? omissions : [texts.leavesOut.stale(stale)];
}

function coverage({ answers }: Shown): string[] {
  const [main] = answers;
  if (main === undefined) return [];
  const { feeds, scopes, complete } = main.coverage;
  return [
    ...feeds.map(({ display_name, reason, last_received_at }) =>
      texts.leavesOut.provider(display_name, reason, ago(last_received_at)),
    ),
    ...scopes
      .filter(({ last_complete_snapshot_at }) => last_complete_snapshot_at === null)
      .map(({ scope_key }) => texts.leavesOut.scope(scope_key)),
    ...(complete ? [] : [texts.leavesOut.coverageIncomplete]),
  ];
}
