import { useId } from 'react';
import type { Impact } from '../api/queries.ts';
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
  const [main] = shown.answers;
  return [
    ...(main ? [...truncation(main), ...precision(main), ...suppressed(main), ...coverage(main)] : []),
    ...(shown.hidden > 0 ? [texts.leavesOut.hidden(shown.hidden)] : []),
    ...(grouped > 0 ? [texts.leavesOut.grouped(grouped)] : []),
  ];
}

function truncation({ truncated, limits }: Impact): string[] {
  const { any, by_depth, by_nodes, by_bytes, unexplored } = truncated;
  if (!any) return [];
  return [
    ...(by_depth ? [texts.leavesOut.byDepth(limits.max_depth)] : []),
    ...(by_nodes ? [texts.leavesOut.byNodes(limits.max_nodes)] : []),
    ...(by_bytes ? [texts.leavesOut.byBytes] : []),
    ...(unexplored > 0 ? [texts.leavesOut.unexplored(unexplored)] : []),
  ];
}

function precision({ precision: { requested, delivered, reasons } }: Impact): string[] {
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

function suppressed({ coverage, blast_radius: { stale_edges: stale } }: Impact): string[] {
  const omissions = (['policy', 'expired', 'confidence'] as const).flatMap((why) =>
    coverage.suppressed[why] > 0 ? [texts.leavesOut.suppressed[why](coverage.suppressed[why])] : [],
  );
  return omissions.length > 0 || stale === 0 ? omissions : [texts.leavesOut.stale(stale)];
}

function coverage({ coverage: { feeds, scopes, complete } }: Impact): string[] {
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
