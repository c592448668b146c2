import { useQuery } from '@tanstack/react-query';
import { type CollectionProject, eventCountsQuery } from '../api/run-queries.ts';
import { type Day, DayBars, lastDays } from '../parts/day-bars.tsx';
import { Failure } from '../parts/failure.tsx';
import { TableHead } from '../parts/table-head.tsx';
import { texts } from '../texts.ts';

const shownDays = 14;

/** How many events came of a project, by day and by what became of them. */
export function CollectionCounts({ project }: { readonly project: CollectionProject }) {
  const { data, error, isPending } = useQuery(eventCountsQuery(project.workspace_id, project.id, shownDays));
  return (
    <section aria-label={texts.collection.counts(project.name)}>
      <h3>{texts.collection.countsTitle(shownDays)}</h3>
      {isPending && <p role="status">{texts.loading}</p>}
      {error && <Failure error={error} />}
      {data?.items.length === 0 && <p className="dim">{texts.collection.countsNone}</p>}
      {data && data.items.length > 0 && <Shown items={data.items} name={project.name} />}
    </section>
  );
}

type Counted = {
  readonly date: string;
  readonly accepted: number;
  readonly repeated: number;
  readonly rejected: Readonly<Record<string, number>>;
};
type ShownProps = { readonly items: readonly Counted[]; readonly name: string };

function Shown({ items, name }: ShownProps) {
  const byDate = new Map(items.map((item) => [item.date, item]));
  const days: Day[] = lastDays(shownDays).map((date) => ({ date, parts: partsOf(byDate.get(date)) }));
  const totals = new Map<string, number>();
  for (const { label, count } of days.flatMap(({ parts }) => parts))
    totals.set(label, (totals.get(label) ?? 0) + count);
  return (
    <>
      <DayBars days={days} label={texts.collection.counts(name)} />
      <table aria-label={texts.collection.counts(name)}>
        <TableHead headings={Object.values(texts.collection.countsHead)} />
        <tbody>
          {[...totals].map(([label, count]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{count.toLocaleString()}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="dim">{texts.collection.countsHow}</p>
    </>
  );
}

const partsOf = (counted: Counted | undefined): Day['parts'] =>
  counted === undefined
    ? []
    : [
        { tone: 'good', label: texts.collection.accepted, count: counted.accepted },
        { tone: 'warn', label: texts.collection.repeated, count: counted.repeated },
        ...Object.entries(counted.rejected).map(([code, count]) => ({
          tone: 'bad' as const,
          label: texts.collection.rejected(code),
          count,
        })),
      ];
