import { texts } from '../texts.ts';
import type { Address } from './address.ts';
import type { Row, Shown } from './answer.ts';
import { schemaOf } from './groups.ts';

/** The answer in a sentence, with the blast radius by distance and schema. */
export function Summary({ shown, address }: { readonly shown: Shown; readonly address: Address }) {
  const isAsked = address.column.length > 0 && address.direction !== 'upstream';
  const rows = shown.rows.filter((row) => row.isAsked || !isAsked);
  const downstream = rows.filter(({ direction }) => direction === 'downstream');
  const upstream = shown.rows.filter(({ direction }) => direction === 'upstream');
  const schemas = [...Map.groupBy(downstream, ({ relation }) => schemaOf(relation))].toSorted(
    ([, a], [, b]) => b.length - a.length,
  );
  const depths = downstream.reduce<number[]>((counts, { depth }) => {
    counts[depth - 1] = (counts[depth - 1] ?? 0) + 1;
    return counts;
  }, []);
  return (
    <div className="summary" role="status">
      {isAsked ? (
        <p className="summary-main">
          {texts.lineage.breaks(downstream.length, address.column.join(', '))}{' '}
          {rows.length < shown.rows.length && (
            <span className="dim">{texts.lineage.beside(shown.rows.length - rows.length)}</span>
          )}
        </p>
      ) : (
        <p className="summary-main">
          {[
            address.direction !== 'downstream' && texts.lineage.summary.upstream(upstream.length),
            address.direction !== 'upstream' && texts.lineage.summary.downstream(downstream.length),
          ]
            .filter(Boolean)
            .join(', ')}
        </p>
      )}
      {rows.length > 0 && <p>{texts.lineage.saidBy(sourcesOf(rows))}</p>}
      {downstream.length > 0 && (
        <p className="dim">
          {texts.lineage.summary.byDepth(Array.from(depths, (count) => count ?? 0))} ·{' '}
          {schemas
            .slice(0, 4)
            .map(([schema, rows]) => `${schema} ${rows.length}`)
            .join(' · ')}
        </p>
      )}
    </div>
  );
}

/** Who says so, whoever says most first. */
const sourcesOf = (rows: readonly Row[]): string[] =>
  [
    ...Map.groupBy(
      rows.flatMap(({ sources }) => sources),
      (source) => source.replaceAll('_', ' '),
    ),
  ]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([source, said]) => `${source} (${said.length})`);
