import '../lineage/evidence.css';
import type { Diff } from '../api/queries.ts';
import { texts } from '../texts.ts';
import { compareLines } from './compare-lines.ts';

type Sql = NonNullable<NonNullable<Diff['relations'][number]['model']>['sql']>;

/** The lines of both statements that differ, with those around them, beside each other. Closed, so that the first screen names what breaks. */
export function SqlSides({ sql }: { readonly sql: Sql }) {
  const lines = compareLines(sql.before ?? '', sql.after ?? '');
  return (
    <details className="sql-sides">
      <summary>{texts.changes.sql.title}</summary>
      <div>
        {(['before', 'after'] as const).map((side) => (
          <figure key={side}>
            <figcaption>{texts.changes.sql[side]}</figcaption>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard. */}
            <pre tabIndex={0} className="sql">
              <code>
                {lines[side].map(({ text, number, differs }) => (
                  <span
                    key={number}
                    className="sql-line"
                    data-number={number}
                    data-differs={differs ? side : undefined}
                  >
                    {text}
                  </span>
                ))}
              </code>
            </pre>
          </figure>
        ))}
      </div>
    </details>
  );
}
