import { provenImpact } from '../../../shared/contract/impact.ts';
import { texts } from '../texts.ts';
import { type Address, type Side, sides } from './address.ts';
import type { Row, Shown } from './answer.ts';
import { schemaOf } from './groups.ts';

type SummaryProps = { readonly shown: Shown; readonly address: Address };

/** The answer in a sentence, with the blast radius by distance and schema. */
export function Summary({ shown, address }: SummaryProps) {
  const isWhatIf = address.column.length > 0 && address.direction !== 'upstream';
  const rows = shown.rows.filter((row) => row.isAsked || !isWhatIf);
  const downstream = rows.filter(({ direction }) => direction === 'downstream');
  return (
    <div className="summary" role="status">
      <p className="summary-main">
        {isWhatIf ? broken(shown, downstream, address) : counted(shown, address)}
        {rows.length < shown.rows.length && (
          <span className="dim"> {texts.lineage.beside(shown.rows.length - rows.length)}</span>
        )}
      </p>
      {rows.length > 0 && <p>{texts.lineage.saidBy(sourcesOf(rows))}</p>}
      {downstream.length > 0 && (
        <p className="dim">
          {texts.lineage.summary.byDepth(depthsOf(downstream))} · {schemasOf(downstream).join(' · ')}
        </p>
      )}
    </div>
  );
}

/** How many relations break, and how many only may because they were reached as whole tables. */
function broken({ answers: [answer] }: Shown, downstream: readonly Row[], { column }: Address): string {
  const proven = answer ? provenImpact(answer) : new Set<string>();
  const wide = downstream.filter(({ relation }) => !proven.has(relation));
  return texts.lineage.breaks(downstream.length, wide.length, column.join(', '));
}

/** How much there is on each side that was requested. */
function counted({ rows }: Shown, { direction }: Address): string {
  const count = (side: Side) => rows.filter((row) => row.direction === side).length;
  return sides
    .filter((side) => direction === side || direction === 'both')
    .map((side) => texts.lineage.summary[side](count(side)))
    .join(', ');
}

/** How many relations are at each distance, from one step on. */
function depthsOf(rows: readonly Row[]): number[] {
  const farthest = rows.reduce((most, { depth }) => Math.max(most, depth), 0);
  return Array.from({ length: farthest }, (_, index) => rows.filter(({ depth }) => depth === index + 1).length);
}

const schemasShown = 4;

/** The schemas that have most of them, each with how many. */
const schemasOf = (rows: readonly Row[]): string[] =>
  [...Map.groupBy(rows, ({ relation }) => schemaOf(relation))]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, schemasShown)
    .map(([schema, members]) => `${schema} ${members.length}`);

/** The sources, ordered by number of statements. */
const sourcesOf = (rows: readonly Row[]): string[] =>
  [
    ...Map.groupBy(
      rows.flatMap(({ sources }) => sources),
      (source) => source.replaceAll('_', ' '),
    ),
  ]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([source, said]) => `${source} (${said.length})`);
